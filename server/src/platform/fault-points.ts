type FaultHandler = (name: string) => void | Promise<void>;

let handler: FaultHandler | undefined;

/**
 * Passes a named point at which the crash tests kill, stop or fail the process. Does nothing unless a test's preload
 * module has installed a handler: there is no setting that turns it on.
 */
export function reach(name: string): void | Promise<void> {
  return handler?.(name);
}

export function onFaultPoint(install: FaultHandler | undefined): void {
  handler = install;
}
