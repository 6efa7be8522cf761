/**
 * Returns the line of an authorized_keys file that lets the key run only this command.
 * @param key type and base64 content of the key
 * @throws {Error} if a word contains a line break or NUL, which such a line cannot have.
 */
export function authorizedLine(command: readonly string[], key: string): string {
  const text = command.map(quoted).join(' ').replaceAll('"', '\\"')
  return `restrict,command="${text}" ${key}`
}

// sshd runs the command with a shell.
function quoted(word: string): string {
  if (/[\0\r\n]/.test(word)) throw new Error('a path contains a line break')
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
