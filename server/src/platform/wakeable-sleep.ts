/** A wait that can be cut short. A wake that comes while nobody sleeps ends the next sleep at once: none is lost. */
export class WakeableSleep {
  #wake: (() => void) | undefined;
  #woken = false;

  wake(): void {
    this.#woken = true;
    this.#wake?.();
  }

  async sleep(ms: number): Promise<void> {
    if (!this.#woken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = undefined;
    }
    this.#woken = false;
  }
}
