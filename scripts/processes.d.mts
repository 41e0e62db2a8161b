/** Whether there is a process with this id, also of another user. */
export function isAlive(pid: number): boolean;
