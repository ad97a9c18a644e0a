# SPDX-License-Identifier: Apache-2.0
# bash completion of the programs. The build appends the words that each program prints with --completion:
# _portaflow_words['pipeline run']: its options; _portaflow_words['pipeline run --device']: the values of an option.
declare -gA _portaflow_words

_portaflow_complete() { # _portaflow_complete PROGRAM WORD PREVIOUS
    local name=${1##*/} word=$2 before=$3 key commands="" values
    for key in "${!_portaflow_words[@]}"; do
        [[ $key =~ ^"$name "([a-z][a-z]*)$ ]] && commands+=" ${BASH_REMATCH[1]}"
    done
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ] && [ -n "$commands" ] && [[ $word != -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
        return
    fi
    [[ " $commands " = *" ${COMP_WORDS[1]} "* ]] && name+=" ${COMP_WORDS[1]}"
    if [[ $before = -* && -n ${_portaflow_words[$name $before]+set} ]]; then
        values=${_portaflow_words[$name $before]}
    elif [[ $word = -* ]]; then
        values=${_portaflow_words[$name]}
    else
        values=@file
    fi
    case $values in
        @file) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
        @folder) mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
        *) mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word") ;;
    esac
}
complete -o filenames -F _portaflow_complete pipeline segment mesh solve post phantom
