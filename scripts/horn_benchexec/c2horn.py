"""BenchExec's tool-info module of c2horn --verify, for tasks of SV-COMP.

  PYTHONPATH=scripts benchexec --tool-directory target/release DEFINITION.xml

The property file is passed on, and so is the data model of the task.
"""
import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task

# The verifier ends this part of a limit earlier, and at least these seconds, so that its last word is not cut off.
RESERVE, RESERVED_SECONDS = 0.02, 0.1


class Tool(benchexec.tools.template.BaseTool2):
    REQUIRED_PATHS = ["c2horn"]

    def executable(self, tool_locator):
        return tool_locator.find_executable("c2horn")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="c2horn")

    def name(self):
        return "c2horn"

    def project_url(self):
        return ""

    def cmdline(self, executable, options, task, rlimits):
        own = ["--verify"]
        model = get_data_model_from_task(task, {ILP32: "--ilp32", LP64: "--lp64"})
        if model and model not in options:
            own.append(model)
        if task.property_file:
            own += ["--property", task.property_file]
        seconds = rlimits.cputime or rlimits.walltime
        if seconds and "--timeout" not in options:
            own += ["--timeout", f"{seconds - max(seconds * RESERVE, RESERVED_SECONDS):.2f}"]
        return [executable, *own, *options, task.single_input_file]

    def determine_result(self, run):
        for line in run.output:
            line = line.strip()
            if line == "TRUE":
                return result.RESULT_TRUE_PROP
            if line.startswith("FALSE(unreach-call)"):
                return result.RESULT_FALSE_REACH
            if line.startswith("UNKNOWN("):
                return result.RESULT_UNKNOWN
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        return result.RESULT_ERROR
