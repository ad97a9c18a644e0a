/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in the report: user text never becomes markup, numbers say when there is none. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "common/draw/html.h"
#include "tests/unit/temp.h"
#include <math.h>

static void expect(html *h, const char *text) {
    assert_int_equal(h->rc, OK);
    assert_string_equal(h->text, text);
    html_free(h);
}

static void text_is_escaped(void **state) {
    html h = {0};
    html_escape(&h, "<img src=\"x\" onerror='a()'> & caf\xc3\xa9");
    expect(&h, "&lt;img src=&quot;x&quot; onerror=&#39;a()&#39;&gt; &amp; caf\xc3\xa9");
    html_escape(&h, "a\x01\x7f\xff\xc3(\xe2\x82"); /* control characters and broken UTF-8 */
    expect(&h, "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd");
    html_add(&h, "x");
    html_escape(&h, NULL);
    expect(&h, "x");
    (void)state;
}

static void numbers_have_their_digits(void **state) {
    static const struct {
        double value;
        const char *text;
    } table[] = {{0, "0"},         {1.23456, "1.23"},    {9.997, "10.0"},     {0.0123456, "0.0123"}, {-49.96, "-50.0"},
                 {1234.5, "1234"}, {1.5e-7, "1.50e-07"}, {2.5e6, "2.50e+06"}, {0.99999, "1.00"}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        html h = {0};
        html_number(&h, table[k].value, 3, NULL);
        expect(&h, table[k].text);
    }
    html h = {0};
    html_number(&h, NAN, 3, "Pa");
    expect(&h, "<span class=\"none\">not computed</span>");
    html_number(&h, 2, 2, "Pa");
    expect(&h, "2.0&nbsp;Pa");
    (void)state;
}

static void pictures_are_base64(void **state) {
    static const char *const code[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"}; /* RFC 4648 */
    for (size_t n = 1; n <= 6; n++) {
        html h = {0};
        char expected[64];
        html_png(&h, temp_write("a.png", "foobar", n));
        snprintf(expected, sizeof expected, "data:image/png;base64,%s", code[n]);
        expect(&h, expected);
    }
    html h = {0};
    html_png(&h, "/nowhere/a.png");
    html_add(&h, "more");
    assert_int_equal(h.rc, ERR_INPUT);
    status_clear();
    html_free(&h);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_escaped),
        cmocka_unit_test(numbers_have_their_digits),
        cmocka_unit_test(pictures_are_base64),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
