import { expect, it } from 'vitest'
import { checkArtifactName } from './name'

const isAccepted = (name: string): boolean => {
  try {
    checkArtifactName(name)
    return true
  } catch {
    return false
  }
}

it('the name of an artifact can contain the characters that the stock client accepts', () => {
  for (const name of [
    'a',
    'dist',
    '100%.txt',
    "it's.txt",
    'a;b.txt',
    'ü 中.txt',
    '..',
    '%2F',
    '#1 & more',
    '😀',
    'x'.repeat(255),
  ])
    expect(isAccepted(name), name).toBe(true)
})

it('the name of an artifact cannot be empty, too long, or contain characters that the stock client rejects', () => {
  for (const name of ['', 'x'.repeat(256), ...'":<>|*?\r\n\\/\0\t\u007f\u0085', '\ud800']) {
    expect(isAccepted(name), JSON.stringify(name)).toBe(false)
    if (name.length === 1) expect(isAccepted(`a${name}b`), JSON.stringify(name)).toBe(false)
  }
})
