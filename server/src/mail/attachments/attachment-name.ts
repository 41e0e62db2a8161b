/**
 * The file name of an attachment: what may reach a reader's disk.
 *
 * Path parts are dropped and characters that mean something to a file system become `_`; what would deceive or run is
 * refused. The list of endings is what Amazon SES refuses, and a few newer installers.
 */

const charsMax = 255;

// biome-ignore format: a list of words
const blockedExtensions = new Set([
  'ade', 'adp', 'apk', 'app', 'application', 'appx', 'asp', 'bas', 'bat', 'cer', 'chm', 'cmd', 'com', 'cpl', 'crt', 'csh',
  'deb', 'der', 'dll', 'dmg', 'exe', 'fxp', 'gadget', 'hlp', 'hta', 'inf', 'ins', 'isp', 'its', 'jar', 'js', 'jse', 'ksh',
  'lib', 'lnk', 'mad', 'maf', 'mag', 'mam', 'maq', 'mar', 'mas', 'mat', 'mau', 'mav', 'maw', 'mda', 'mdb', 'mde', 'mdt',
  'mdw', 'mdz', 'msc', 'msh', 'msh1', 'msh2', 'mshxml', 'msh1xml', 'msh2xml', 'msi', 'msix', 'msp', 'mst', 'ops', 'pcd',
  'pif', 'plg', 'prf', 'prg', 'ps1', 'ps1xml', 'ps2', 'ps2xml', 'psc1', 'psc2', 'reg', 'rpm', 'scf', 'scr', 'sct', 'shb',
  'shs', 'sys', 'tmp', 'url', 'vb', 'vbe', 'vbs', 'vps', 'vsmacros', 'vss', 'vst', 'vsw', 'vxd', 'ws', 'wsc', 'wsf',
  'wsh', 'xnk',
]);

export type NameResult = { filename: string } | { problem: string; malformed: boolean };

/** The name as it will be sent, or why there is none. */
export function attachmentName(text: string): NameResult {
  if (text.length > charsMax)
    return { problem: `The file name is longer than ${charsMax} characters.`, malformed: false };
  if (!text.isWellFormed()) return { problem: 'The file name is not valid Unicode.', malformed: true };
  if (/[\x00-\x1f\x7f-\x9f\u2028\u2029]/.test(text)) {
    return { problem: 'The file name has a line break or a control character.', malformed: true };
  }
  // These turn `gpj.exe` around on the screen, or hide a part of the name.
  if (/[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/.test(text)) {
    return {
      problem: 'The file name has an invisible character or one that reverses the direction of text.',
      malformed: false,
    };
  }
  const base = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1);
  // Windows drops dots and spaces at the end, so `a.exe.` would run.
  const filename = base
    .replace(/[<>:"|?*]/g, '_')
    .replace(/[. \u00a0\u3000]+$/, '')
    .trim();
  if (filename === '') return { problem: 'The file name is empty.', malformed: false };
  const extension = filename
    .slice(filename.lastIndexOf('.') + 1)
    .normalize('NFKC')
    .toLowerCase();
  if (filename.includes('.') && blockedExtensions.has(extension)) {
    return {
      problem: `Files ending in .${extension} are not accepted, because mail programs block them.`,
      malformed: false,
    };
  }
  return { filename };
}
