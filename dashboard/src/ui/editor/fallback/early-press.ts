/** From the left and the top of the frame of a text. */
interface Place {
  x: number;
  y: number;
}

/** Where a text was pressed before it had an editor. */
export class EarlyPress {
  #place: Place | null = null;

  note(place: Place): void {
    this.#place = place;
  }

  /** Once; null when it was not pressed. */
  take(): Place | null {
    const place = this.#place;
    this.#place = null;
    return place;
  }
}
