/**
 * Builds the line of an authorized_keys file that runs this command, and nothing else, for whoever signs in with the key.
 * @param key Its type and base64.
 * @throws {Error} for words that such a line cannot have.
 */
export function authorizedLine(command: readonly string[], key: string): string {
  const text = command.map(quoted).join(' ').replaceAll('"', '\\"')
  return `restrict,command="${text}" ${key}`
}

// For the shell that sshd runs it with.
function quoted(word: string): string {
  if (/[\0\r\n]/.test(word)) throw new Error('a path has a line break in it')
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
