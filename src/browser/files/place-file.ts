/** `move` is in all browsers that have `createWritable`, and not yet in the compiler's declarations. */
interface MovableFile extends FileSystemFileHandle {
  move(folder: FileSystemDirectoryHandle, name: string): Promise<void>;
}

/** Replaces the content of a file: others see the old one until all of the new one is there. */
export async function fillFile(file: FileSystemFileHandle, bytes: Uint8Array): Promise<void> {
  const stream = await file.createWritable();
  try {
    await stream.write(bytes as Uint8Array<ArrayBuffer>);
  } catch (thrown) {
    await stream.abort(thrown);
    throw thrown;
  }
  await stream.close();
}

/** Makes a file that has all of its content from the first moment on: an empty one would be there if the tab were closed in between. */
export async function placeNewFile(folder: FileSystemDirectoryHandle, name: string, bytes: Uint8Array): Promise<void> {
  const temporary = `.wavepoint-${crypto.randomUUID()}.tmp`;
  const file = (await folder.getFileHandle(temporary, { create: true })) as MovableFile;
  try {
    await fillFile(file, bytes);
    await file.move(folder, name);
  } catch (thrown) {
    await folder.removeEntry(temporary);
    throw thrown;
  }
}
