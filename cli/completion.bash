# What reads the tables _carom_command, _carom_parameters and _carom_commands that the program prints.
# shellcheck shell=bash disable=SC2154

# _carom_offer KIND TYPED: fill COMPREPLY with what there is of a kind
_carom_offer() {
    case $1 in
    *'|'*)
        mapfile -t COMPREPLY < <(compgen -W "${1//|/ }" -- "$2") ;;
    NAME=VALUE)
        mapfile -t COMPREPLY < <(compgen -W "$_carom_parameters" -- "$2")
        compopt -o nospace 2>/dev/null ;;
    SCENE)
        local scenes cut='s/ .*//'
        [[ $2 == */* ]] || cut+='; s/.*\///'
        scenes=$("${COMP_WORDS[0]}" list scenes 2>/dev/null | sed "$cut")
        mapfile -t COMPREPLY < <(compgen -W "$scenes" -- "$2"; compgen -f -- "$2")
        compopt -o filenames 2>/dev/null ;;
    FOLDER)
        mapfile -t COMPREPLY < <(compgen -d -- "$2")
        compopt -o filenames 2>/dev/null ;;
    FILE | PLAN)
        mapfile -t COMPREPLY < <(compgen -f -- "$2")
        compopt -o filenames 2>/dev/null ;;
    esac
}

_carom() {
    local typed=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local words='' options='' offer='' at=0 i
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        _carom_offer "$_carom_commands|--help|--version" "$typed"
        return
    fi
    _carom_command "${COMP_WORDS[1]}" "$before"
    if [[ $options == *" $before= "* ]]; then
        _carom_offer "$offer" "$typed"
        return
    elif [[ $typed == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "${options//=/}" -- "$typed")
        return
    fi
    for ((i = 2; i < COMP_CWORD; i++)); do # which of the words it is
        if [[ $options == *" ${COMP_WORDS[i]}= "* ]]; then
            ((++i))
        elif [[ ${COMP_WORDS[i]} != -* ]]; then
            ((++at))
        fi
    done
    local -a kinds
    read -ra kinds <<<"$words"
    _carom_offer "${kinds[at]:-}" "$typed"
}
complete -F _carom carom
