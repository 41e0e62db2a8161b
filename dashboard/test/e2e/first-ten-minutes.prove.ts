/**
 * A person who has never seen Posthorn goes from `npm start` to a newsletter issue that three imported subscribers
 * have, and reads its results: by mouse, and again by keyboard alone. `POSTHORN_JOURNEY_PICTURES=<folder>` records
 * both.
 */
import './first-ten-minutes/by-mouse.ts';
import './first-ten-minutes/by-keyboard.ts';
