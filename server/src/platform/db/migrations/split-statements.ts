export interface SqlStatement {
  /** Where it begins, counted from 1. */
  line: number;
  /** Without comments; nothing else is changed. */
  text: string;
  /** Its comments and those in front of it, one a line. */
  comments: string;
}

// In this order: comments, strings, names, dollar quotes, the separator, runs of anything else.
const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;|[^-/'"$;]+|[\s\S]/g;

/**
 * The statements of a SQL file, for what has to be run or judged one at a time. A semicolon inside a string, a name, a
 * comment or a dollar quote separates nothing. E'\'' and nested comments are not understood: migrations use neither.
 */
export function splitStatements(sql: string): SqlStatement[] {
  const statements: SqlStatement[] = [];
  let open = { line: 1, text: '', comments: '' };
  let line = 1;
  const close = (): void => {
    if (open.text.trim() !== '') statements.push({ ...open, text: open.text.trim(), comments: open.comments.trim() });
    open = { line, text: '', comments: '' };
  };
  for (const [token] of sql.matchAll(TOKEN)) {
    const isComment = token.startsWith('--') || token.startsWith('/*');
    if (open.text.trim() === '' && !isComment && token.trim() !== '') {
      open.line = line + (token.slice(0, token.search(/\S/)).split('\n').length - 1);
    }
    line += token.split('\n').length - 1;
    if (token === ';') close();
    else if (isComment) {
      open.comments += `${token}\n`;
      open.text += ' ';
    } else open.text += token;
  }
  close();
  return statements;
}
