import { cleanPasted } from './pasted-text'

// Without its dashes, because text editors turn those into typographic ones.
const armor = /BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/
const putty = /^[ \t]*(?:PuTTY-User-Key-File-|Private-Lines:)/m
const ssh1 = 'SSH PRIVATE KEY FILE FORMAT'
// "openssh-key-v1" in base64: what is left when somebody selects the body without its BEGIN line.
const openSshBody = /^[ \t]*b3BlbnNzaC1rZXktdjE/m

/**
 * Whether a text holds a private key, or the recognizable start of one, in any format SSH tools write.
 * Light, so a form can ask before anything leaves the browser.
 */
export function looksLikePrivateKey(pasted: string): boolean {
  const text = cleanPasted(pasted)
  return armor.test(text) || putty.test(text) || text.includes(ssh1) || openSshBody.test(text)
}
