interface File {
  id: string | null;
  content_id: string | null;
  content_type: string;
}

const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/;

/** Whether the text of a message shows this file by its Content-ID. */
export const isInlinePicture = ({ id, content_id, content_type }: File): boolean =>
  id !== null && content_id !== null && PICTURE.test(content_type);

/** Pictures of a message by their Content-ID: the frame has no network and no session to read them with. */
export async function readPictures(
  files: readonly File[],
  read: (id: string) => Promise<Blob>,
): Promise<ReadonlyMap<string, string>> {
  const all = await Promise.all(
    files
      .filter(isInlinePicture)
      .map(
        async ({ id, content_id, content_type }) =>
          [idIn(content_id ?? ''), await dataUrlOf(await read(id ?? ''), content_type)] as const,
      ),
  );
  return new Map(all);
}

/** Without the angle brackets of the header: a `cid:` address has none. */
const idIn = (contentId: string): string => contentId.replace(/^<(.*)>$/, '$1');

function dataUrlOf(bytes: Blob, type: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('The picture could not be read.'));
    reader.readAsDataURL(new Blob([bytes], { type }));
  });
}
