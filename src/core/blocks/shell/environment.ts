import { WorkflowError } from "../../model/errors.ts";

/** What may stand as the name of a variable of the environment. POSIX, "Environment Variable Definition". */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Beginnings of names a workflow cannot set, and why. Compared without regard to capitals, as Windows does. */
const FORBIDDEN_BEGINNINGS: readonly (readonly [beginning: string, reason: string])[] = [
  ["LD_", "the loader of programs takes code from it"],
  ["DYLD_", "the loader of programs takes code from it"],
  ["BASH_FUNC_", "bash takes functions from it"],
  ["GIT_CONFIG", "git runs programs that its configuration names"],
  ["GIT_TRACE", "git writes files where it says"],
  ["WAVEPOINT_", "it is set for the values of references"],
  ["NPM_CONFIG_", "npm runs programs that its configuration names"],
];

/** Names a workflow cannot set, by reason. */
const FORBIDDEN_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "it decides which programs run": ["PATH", "PATHEXT", "COMSPEC", "SHELL", "EXECIGNORE", "GLOBIGNORE"],
    "shells run or expand what it holds": ["BASH_ENV", "ENV", "PS1", "PS2", "PS4", "PROMPT_COMMAND", "ZDOTDIR", "FPATH"],
    "it changes how shells read": ["IFS", "SHELLOPTS", "BASHOPTS", "BASH_COMPAT", "POSIXLY_CORRECT", "CDPATH"],
    "Node takes code from it": ["NODE_OPTIONS", "NODE_PATH", "NODE_REPL_EXTERNAL_MODULE"],
    "Python takes code from it": ["PYTHONSTARTUP", "PYTHONPATH", "PYTHONHOME", "PYTHONINSPECT", "PYTHONUSERBASE", "PYTHONBREAKPOINT"],
    "Perl takes code from it": ["PERL5LIB", "PERLLIB", "PERL5OPT", "PERL5DB"],
    "Ruby takes code from it": ["RUBYOPT", "RUBYLIB", "GEM_HOME", "GEM_PATH", "BUNDLE_GEMFILE"],
    "Lua takes code from it": ["LUA_INIT", "LUA_PATH", "LUA_CPATH"],
    "PHP takes code from it": ["PHPRC", "PHP_INI_SCAN_DIR"],
    "Java takes code from it": ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH", "MAVEN_OPTS", "GRADLE_OPTS"],
    ".NET takes code from it": ["DOTNET_STARTUP_HOOKS", "CORECLR_PROFILER", "CORECLR_ENABLE_PROFILING", "CORECLR_PROFILER_PATH"],
    "compilers run the programs it names": ["RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "GCC_EXEC_PREFIX", "COMPILER_PATH", "MAKEFLAGS"],
    "programs load code from where it says": ["GCONV_PATH", "LOCPATH", "NLSPATH", "OPENSSL_CONF", "OPENSSL_ENGINES", "GLIBC_TUNABLES"],
    "programs run what it names": ["EDITOR", "VISUAL", "PAGER", "MANPAGER", "BROWSER", "LESSOPEN", "LESSCLOSE", "TERMINFO"],
    "git runs what it names": [
      "GIT_SSH",
      "GIT_SSH_COMMAND",
      "GIT_EXTERNAL_DIFF",
      "GIT_PAGER",
      "GIT_EDITOR",
      "GIT_SEQUENCE_EDITOR",
      "GIT_ASKPASS",
      "SSH_ASKPASS",
      "GIT_PROXY_COMMAND",
      "GIT_EXEC_PATH",
      "GIT_TEMPLATE_DIR",
    ],
    "git takes hooks and configuration from there": ["GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE"],
    "it is the folder of the step": ["SCRATCH"],
  }).flatMap(([reason, names]) => names.map((name): [string, string] => [name, reason])),
);

const OWN = /^(?:SCRATCH|WAVEPOINT_[0-9]+)$/;

/** Whether a variable is one that the Shell block sets itself. */
export function isOwnVariable(name: string): boolean {
  return OWN.test(name);
}

/** Why a workflow cannot set a variable; nothing if it can. */
export function whyForbidden(name: string): string | undefined {
  const upper = name.toUpperCase();
  return FORBIDDEN_NAMES.get(upper) ?? FORBIDDEN_BEGINNINGS.find(([beginning]) => upper.startsWith(beginning))?.[1];
}

/** Throws `ENVIRONMENT_FORBIDDEN` for a name that a workflow cannot give a variable of the environment. */
export function assertVariableName(name: string): void {
  if (!NAME.test(name)) {
    const shown = JSON.stringify(name.slice(0, 60));
    throw forbidden(`${shown} cannot name a variable of the environment. Use letters, digits and "_", starting with a letter or "_".`);
  }
  const reason = whyForbidden(name);
  if (reason !== undefined) {
    throw forbidden(
      `The variable ${name} cannot be set by a workflow: ${reason}. Let the host set it (env of nodeShell), or use another name.`,
    );
  }
}

function forbidden(message: string): WorkflowError {
  return new WorkflowError("ENVIRONMENT_FORBIDDEN", message);
}
