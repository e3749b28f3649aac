# For tests that need packages from PyPI: a virtual environment below target/. To be sourced in bash, where target/ is.

# Ends the test without a failure, and says why it was left out.
left_out() {
    echo "$(basename "$0"): $*: nothing was tested"
    exit 0
}

# Makes the environment target/$1, with the log target/$1.log, unless it has the modules $2 (separated by commas). Python has to
# have the version $3 or a later one. The packages follow.
python_environment() {
    local environment=$PWD/target/$1 log=$PWD/target/$1.log modules=$2 oldest=$3 python
    shift 3
    python=$(command -v python3) || left_out "Python is absent"
    "$python" -c "import sys; sys.exit(sys.version_info < (${oldest/./, }))" || left_out "Python is older than $oldest"
    ! "$environment/bin/python" -c "import $modules" 2>/dev/null || return 0
    rm -rf "$environment"
    mkdir -p target
    "$python" -m venv "$environment" >"$log" 2>&1 || left_out "Python has no venv (Debian: python3-venv)"
    "$environment/bin/python" -m pip install --disable-pip-version-check "$@" >>"$log" 2>&1 ||
        left_out "PyPI does not have $* for this machine (see $log)"
}
