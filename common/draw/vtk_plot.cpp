/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of vtk_draw.h. */
#include "common/draw/vtk_draw.h"
#include "common/base/guard.h"
#include "common/draw/vtk_window.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <new>
#include <set>
#include <stdexcept>
#include <vtkAxis.h>
#include <vtkBrush.h>
#include <vtkChartLegend.h>
#include <vtkChartXY.h>
#include <vtkContextActor.h>
#include <vtkContextScene.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkPen.h>
#include <vtkPlotLine.h>
#include <vtkPlotPoints.h>
#include <vtkRect.h>
#include <vtkRenderer.h>
#include <vtkStringArray.h>
#include <vtkTable.h>
#include <vtkTextProperty.h>

/* Colours of Okabe and Ito, distinguishable by colour-blind readers. */
static const unsigned char colour[][3] = {{0, 0, 0},       {213, 94, 0},  {0, 114, 178},  {0, 158, 115},
                                          {204, 121, 167}, {230, 159, 0}, {86, 180, 233}, {120, 120, 120}};
static const int n_colour = sizeof colour / sizeof *colour;
static const int marks[] = {vtkPlotPoints::CIRCLE, vtkPlotPoints::SQUARE, vtkPlotPoints::DIAMOND, vtkPlotPoints::CROSS,
                            vtkPlotPoints::PLUS};
static const int strokes[] = {vtkPen::SOLID_LINE, vtkPen::DASH_LINE, vtkPen::DASH_DOT_LINE, vtkPen::DASH_DOT_DOT_LINE};

/* Range of values along one axis, and up to 100 different values. */
struct range {
    double low = INFINITY, high = -INFINITY;
    std::set<double> values;
    void add_value(double v) {
        low = std::min(low, v);
        high = std::max(high, v);
        if (values.size() < 100)
            values.insert(v);
    }
};

static bool is_drawable(const vtk_plot_settings *s, double x, double y) {
    return std::isfinite(x) && std::isfinite(y) && (!s->log_x || x > 0) && (!s->log_y || y > 0);
}

static vtkSmartPointer<vtkTable> make_table(const vtk_plot_settings *s, const vtk_plot_curve *c, range &xs, range &ys) {
    auto table = vtkSmartPointer<vtkTable>::New();
    vtkNew<vtkDoubleArray> x, y;
    x->SetName("x");
    y->SetName(c->name);
    for (int k = 0; k < c->n; k++) {
        if (!is_drawable(s, c->x[k], c->y[k]))
            continue;
        x->InsertNextValue(c->x[k]);
        y->InsertNextValue(c->y[k]);
        xs.add_value(c->x[k]);
        ys.add_value(c->y[k]);
    }
    table->AddColumn(x);
    table->AddColumn(y);
    return table;
}

/* Adds a curve. index: selects its colour; -1: all curves look alike. n_before: number of earlier curves drawn the same
 * way (marks or line). */
static void add_curve(vtkChartXY *chart, vtkTable *table, const vtk_plot_curve *c, int index, int n_before) {
    const unsigned char *rgb = colour[index < 0 ? 2 : (c->colour > 0 ? c->colour - 1 : index) % n_colour];
    vtkPlot *plot = chart->AddPlot(c->points ? vtkChart::POINTS : vtkChart::LINE);
    plot->SetInputData(table, 0, 1);
    plot->SetColor(rgb[0], rgb[1], rgb[2], 255);
    plot->SetWidth(c->points ? 1.5f : 2.5f);
    if (c->points) {
        auto points = vtkPlotPoints::SafeDownCast(plot);
        points->SetMarkerStyle(marks[n_before % 5]);
        points->SetMarkerSize(9);
    } else if (index >= 0) {
        plot->GetPen()->SetLineType(strokes[n_before % 4]);
        plot->SetWidth(n_before % 4 < 2 ? 2.5f : 3.5f); /* every second group of four is wider, because its short
                                                         * dashes look paler */
    }
}

static void style_text(vtkTextProperty *text, int size) {
    text->SetFontFamilyToArial();
    text->SetFontSize(size);
    text->SetColor(0, 0, 0);
    text->SetBold(0);
    text->SetItalic(0);
}

/* Ticks of a logarithmic axis: the values if they are few integers, otherwise 1, 2, 5 times powers of ten. */
static void place_ticks(vtkAxis *axis, const range &values) {
    vtkNew<vtkDoubleArray> place;
    vtkNew<vtkStringArray> label;
    auto add_value = [&](double v) {
        char text[32];
        std::snprintf(text, sizeof text, "%g", v);
        place->InsertNextValue(std::log10(v));
        label->InsertNextValue(text);
    };
    bool few = values.values.size() <= 8;
    for (double v : values.values)
        few = few && v == std::round(v);
    if (few) {
        for (double v : values.values)
            add_value(v);
    } else {
        for (int power = static_cast<int>(std::floor(std::log10(values.low))); power <= std::log10(1.3 * values.high);
             power++)
            for (double step : {1.0, 2.0, 5.0})
                if (double v = step * std::pow(10, power); v >= values.low / 1.3 && v <= values.high * 1.3)
                    add_value(v);
    }
    axis->SetCustomTickPositions(place, label);
}

static void style_axis(vtkAxis *axis, const char *label, const range &values, bool logarithmic) {
    double room = 0.04 * (values.high - values.low);
    if (!(room > 0))
        room = std::max(1e-12, 0.1 * std::fabs(values.high));
    axis->SetTitle(label);
    axis->SetBehavior(vtkAxis::FIXED);
    style_text(axis->GetTitleProperties(), 22);
    style_text(axis->GetLabelProperties(), 18);
    axis->GetGridPen()->SetColor(225, 225, 225, 255);
    if (logarithmic) {
        axis->SetLogScale(true);
        axis->SetMinimum(values.low / 1.3);
        axis->SetMaximum(values.high * 1.3);
        place_ticks(axis, values);
    } else {
        axis->SetMinimum(values.low - room);
        axis->SetMaximum(values.high + room);
    }
}

/* Adds a right axis that shows the values of the left axis in another unit. VTK hides an axis without a curve, so the
 * first curve is added again without a line. */
static void add_right_axis(vtkChartXY *chart, vtkTable *first, double unit) {
    vtkAxis *left = chart->GetAxis(vtkAxis::LEFT), *right = chart->GetAxis(vtkAxis::RIGHT);
    vtkPlot *plot = chart->AddPlot(vtkChart::LINE);
    plot->SetInputData(first, 0, 1);
    plot->GetPen()->SetLineType(vtkPen::NO_PEN);
    plot->SetLegendVisibility(false);
    chart->SetPlotCorner(plot, 1);
    right->SetBehavior(vtkAxis::FIXED);
    right->SetMinimum(left->GetMinimum() / unit);
    right->SetMaximum(left->GetMaximum() / unit);
    right->SetTitle("");
    right->SetGridVisible(false);
    style_text(right->GetLabelProperties(), 18);
}

/* Sets the rectangle of the axes; both axes get the same scale. */
static void set_equal_scale(vtkChartXY *chart, const vtk_plot_settings *s) {
    const double left = 95, bottom = 75, right = 30, top = 50;
    vtkAxis *x = chart->GetAxis(vtkAxis::BOTTOM), *y = chart->GetAxis(vtkAxis::LEFT);
    const double dx = x->GetMaximum() - x->GetMinimum(), dy = y->GetMaximum() - y->GetMinimum();
    const double scale = std::min((s->width - left - right) / dx, (s->height - bottom - top) / dy);
    chart->SetAutoSize(false);
    chart->SetLayoutStrategy(vtkChart::AXES_TO_RECT);
    chart->SetSize(vtkRectf(static_cast<float>(left), static_cast<float>(bottom), static_cast<float>(scale * dx),
                            static_cast<float>(scale * dy)));
}

static int draw_plot(const char *path, const vtk_plot_settings *s, int n_curve, const vtk_plot_curve *curve) {
    const char *reason = nullptr;
    auto window = vtk_window_create(s->width, s->height, &reason);
    if (!window)
        return fail(ERR_RESOURCE, "cannot draw '%s': %s", path, reason);
    vtkNew<vtkRenderer> renderer;
    vtkNew<vtkContextActor> actor;
    vtkNew<vtkChartXY> chart;
    range xs, ys;
    int n_before[2] = {0, 0}; /* number of earlier curves: of lines, of marks */
    vtkSmartPointer<vtkTable> first;
    for (int k = 0; k < n_curve; k++) {
        auto table = make_table(s, &curve[k], xs, ys);
        if (table->GetNumberOfRows() > 0)
            add_curve(chart, table, &curve[k], s->plane ? -1 : k, n_before[curve[k].points != 0]);
        if (table->GetNumberOfRows() > 0 && !first)
            first = table;
        n_before[curve[k].points != 0]++;
    }
    chart->SetTitle(s->title);
    style_text(chart->GetTitleProperties(), 24);
    style_axis(chart->GetAxis(vtkAxis::BOTTOM), s->x_label, xs, s->log_x != 0);
    style_axis(chart->GetAxis(vtkAxis::LEFT), s->y_label, ys, s->log_y != 0);
    if (s->right_unit > 0 && !s->log_y && first)
        add_right_axis(chart, first, s->right_unit);
    if (s->plane)
        set_equal_scale(chart, s);
    chart->SetShowLegend(!s->plane);
    chart->GetLegend()->SetInline(false);
    chart->GetLegend()->SetHorizontalAlignment(vtkChartLegend::CENTER);
    chart->GetLegend()->SetVerticalAlignment(vtkChartLegend::BOTTOM);
    chart->GetLegend()->GetPen()->SetLineType(vtkPen::NO_PEN);
    style_text(chart->GetLegend()->GetLabelProperties(), 18);
    actor->GetScene()->AddItem(chart);
    renderer->SetBackground(1, 1, 1);
    renderer->AddActor(actor);
    actor->GetScene()->SetRenderer(renderer);
    window->AddRenderer(renderer);
    return vtk_window_write(window, path);
}

int vtk_plot_write(const char *path, const vtk_plot_settings *s, int n_curve, const vtk_plot_curve *curve) {
    return guard_call("drawing a picture", 4.0 * s->width * s->height, [&]() {
        bool any = false;
        for (int k = 0; k < n_curve; k++)
            for (int q = 0; q < curve[k].n; q++)
                any = any || is_drawable(s, curve[k].x[q], curve[k].y[q]);
        if (!any)
            return fail(ERR_INPUT, "'%s' was not drawn: no value of the curves is a finite number within the axes",
                        path);
        return draw_plot(path, s, n_curve, curve);
    });
}
