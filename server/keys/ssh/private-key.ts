import { cleanPasted } from './pasted-text'

// Without the dashes, because text editors replace them with typographic ones.
const armor = /BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/
const putty = /^[ \t]*(?:PuTTY-User-Key-File-|Private-Lines:)/m
const ssh1 = 'SSH PRIVATE KEY FILE FORMAT'
// `openssh-key-v1` in base64, which remains if someone selects the body without its BEGIN line.
const openSshBody = /^[ \t]*b3BlbnNzaC1rZXktdjE/m

/**
 * Returns whether a text contains a private key, or its recognizable start, in any format that SSH tools
 * write. Also runs in the browser, so that a form can reject a private key before sending it.
 */
export function looksLikePrivateKey(pasted: string): boolean {
  const text = cleanPasted(pasted)
  return armor.test(text) || putty.test(text) || text.includes(ssh1) || openSshBody.test(text)
}
