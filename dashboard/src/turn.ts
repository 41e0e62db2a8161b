/** The next turn of the thread. Between two turns the browser answers a touch. */
export const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
