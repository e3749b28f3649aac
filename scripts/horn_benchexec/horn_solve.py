"""BenchExec's tool-info module of horn-solve.

  PYTHONPATH=scripts benchexec --tool-directory target/release DEFINITION.xml

The limit of CPU time becomes the solver's own, so that it ends by itself with `unknown` and its reason.
"""
import benchexec.result as result
import benchexec.tools.template

# The solver ends this part of a limit earlier, and at least these seconds, so that its last word is not cut off.
RESERVE, RESERVED_SECONDS = 0.02, 0.1


class Tool(benchexec.tools.template.BaseTool2):
    REQUIRED_PATHS = ["horn-solve"]

    def executable(self, tool_locator):
        return tool_locator.find_executable("horn-solve")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="horn-solve")

    def name(self):
        return "horn-solve"

    def project_url(self):
        return ""

    def cmdline(self, executable, options, task, rlimits):
        limits = []
        seconds = rlimits.cputime or rlimits.walltime
        if seconds and "--timeout" not in options:
            limits += ["--timeout", f"{seconds - max(seconds * RESERVE, RESERVED_SECONDS):.2f}"]
        if rlimits.memory and "--memory" not in options:
            limits += ["--memory", str(int(rlimits.memory * (1 - RESERVE)) >> 20)]
        return [executable, *limits, *options, task.single_input_file]

    def determine_result(self, run):
        verdicts = {"sat": result.RESULT_TRUE_PROP, "unsat": result.RESULT_FALSE_PROP, "unknown": result.RESULT_UNKNOWN}
        for line in run.output:
            line = line.strip()
            if line in verdicts:
                verdict = verdicts[line]
                is_timeout = verdict == result.RESULT_UNKNOWN and run.output.any_line_contains("; reason: timeout")
                return result.RESULT_TIMEOUT if is_timeout else verdict
            if line.startswith("(error "):
                return f"{result.RESULT_ERROR} (input)"
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        return result.RESULT_ERROR
