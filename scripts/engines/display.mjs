// @ts-check
// A screen for browsers that have no mode without one.
import { spawn } from "node:child_process";

/**
 * @typedef {object} Display
 * @property {string} name Such as `:99`, for the variable DISPLAY.
 * @property {() => void} close
 */

/**
 * Starts an invisible screen. It ends with this process.
 * @param {string} program Xvfb.
 * @returns {Promise<Display>}
 */
export function startDisplay(program) {
  return new Promise((resolve, reject) => {
    const display = spawn(program, ["-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp"], {
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    });
    const end = () => void display.kill();
    process.once("exit", end);
    display.once("error", reject);
    display.once("exit", (code) => reject(new Error(`${program} ended with ${code}.`)));
    display.stdio[3]?.once("data", (/** @type {Buffer} */ number) => {
      resolve({
        name: `:${String(number).trim()}`,
        close() {
          process.off("exit", end);
          end();
        },
      });
    });
  });
}
