/** Variables of the host's own environment that a command sees: where programs, a home and temporary files are, and in what language to write. */
const INHERITED = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"];
/** Without these hardly a program of Windows starts. */
const INHERITED_ON_WINDOWS = ["SystemRoot", "SystemDrive", "PATHEXT", "ComSpec", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TEMP", "TMP"];

/** The environment that commands start with: little of the host's own, so that no key or token in it reaches a workflow. */
export function hostEnvironment(inherit: readonly string[]): Record<string, string> {
  const names = [...INHERITED, ...(process.platform === "win32" ? INHERITED_ON_WINDOWS : []), ...inherit];
  const environment: Record<string, string> = {};
  for (const name of names) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
