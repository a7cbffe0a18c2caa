# Writes a page of the book as it should be: runs what the page shows, in the folder `here`, and puts in what the commands
# print.
#
#   ```toml file=NAME   the block is written to NAME
#   ```sh run           the commands are run; the first that fails ends the check
#   ```sh fails         the commands are run, and the last must fail
#   ```text output      what the commands before this block print, up to what depends on machine and version
#   ```rust types=FILE  the types of a Rust file: from its first documented one up to `main`
#   <!--=COMMAND-->TEXT<!--=-->    TEXT is what a command prints, such as .ci/told
#   ![...](.../shown/NAME)         NAME is a picture that the page's commands make: .ci/book compares it

function stop(message) {
    printf "%s:%d: %s\n", FILENAME, FNR, message >"/dev/stderr"
    failed = 1
    exit 1
}

function run_commands(    status) {
    printf "%s", commands >script
    close(script)
    status = system("cd '" here "' && bash -euo pipefail '" script "' >'" printed "'" (kind == "fails" ? " 2>&1" : ""))
    if ((status != 0) != (kind == "fails")) {
        system("cat '" printed "' >&2")
        stop(status ? "the commands fail" : "the commands should fail")
    }
}

function put_output(    line, blanks) {
    while ((getline line <printed) > 0 && line !~ /^(simulation|drowse [0-9.]+,)/) {
        sub(/ +$/, "", line)
        if (line == "") {
            blanks = blanks "\n"
        } else {
            print blanks line
            blanks = ""
        }
    }
    close(printed)
}

function put_types(path,    line, shown, blanks) {
    while ((getline line <path) > 0 && line !~ /^(#\[expect|fn main)/) {
        if (line ~ /^\/\/\/ /) shown = 1
        if (shown && line == "") {
            blanks = blanks "\n"
        } else if (shown) {
            print blanks line
            blanks = ""
        }
    }
    close(path)
    if (!shown) stop("no types in " path)
}

# Puts what commands print between their marks.
function put_told(line,    command, told, done) {
    while (match(line, /<!--=[^>]+-->[^<]*<!--=-->/)) {
        command = substr(line, RSTART + 5, RLENGTH - 5)
        sub(/-->.*/, "", command)
        told = ""
        if (("cd '" here "' && " command) | getline told <= 0) stop("nothing is told by: " command)
        close("cd '" here "' && " command)
        done = done substr(line, 1, RSTART - 1) "<!--=" command "-->" told "<!--=-->"
        line = substr(line, RSTART + RLENGTH)
    }
    return done line
}

BEGIN {
    script = here "/.commands"
    printed = here "/.printed"
}

!inside && /^```/ {
    inside = 1
    kind = $2
    file = ""
    if (kind ~ /^file=/) {
        file = here "/" substr(kind, 6)
        printf "" >file
    }
    commands = ""
    print
    if (kind == "output") put_output()
    if (kind ~ /^types=/) put_types(substr(kind, 7))
    next
}

inside && /^```$/ {
    inside = 0
    if (file != "") close(file)
    if (kind == "run" || kind == "fails") run_commands()
    print
    next
}

inside && (kind == "output" || kind ~ /^types=/) { next }

inside && file != "" { print >file }

inside { commands = commands $0 "\n" }

!inside && /<!--=/ {
    if ($0 !~ /<!--=-->/) stop("the marks of a command and its end are not in one line")
    $0 = put_told($0)
}

{ print }

END { if (!failed && inside) stop("a block does not end") }
