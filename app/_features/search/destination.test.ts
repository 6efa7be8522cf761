import { expect, it } from 'vitest'
import { markTerms, matchingPages, typedText } from './destination'

const pages = ['Your account: Profile', 'Your account: Access tokens', 'acme: Secrets', 'acme: General'].map(
  text => ({
    kind: 'settings' as const,
    text,
    href: `/${text}`,
    isOfOrganization: text.startsWith('acme'),
  }),
)
const pagesFor = (...terms: string[]) => matchingPages(pages, terms).map(({ text }) => text)

it('matchingPages finds settings pages by words of their name and by the word "settings"', () => {
  expect(pagesFor('token', 'acc')).toEqual(['Your account: Access tokens'])
  expect(pagesFor('your', 'account')).toEqual(['Your account: Profile', 'Your account: Access tokens'])
  expect(pagesFor('acc')).toEqual(['Your account: Access tokens', 'Your account: Profile'])
  expect(pagesFor('acme', 'sec')).toEqual(['acme: Secrets'])
  expect(pagesFor('settings', 'acme')).toEqual(['acme: Secrets', 'acme: General'])
  expect(pagesFor('acme')).toEqual([])
  expect(pagesFor('nothing')).toEqual([])
})

const marked = (text: string, ...terms: string[]) =>
  markTerms(text, terms)
    .map(({ part, isMatch }) => (isMatch ? `[${part}]` : part))
    .join('')

it('markTerms marks every occurrence of a word in any case, and joins overlapping ones', () => {
  expect(marked('Acme/web-engine', 'web')).toBe('Acme/[web]-engine')
  expect(marked('Acme/web-engine', 'e')).toBe('Acm[e]/w[e]b-[e]ngin[e]')
  expect(marked('banana', 'ana')).toBe('b[anana]')
  expect(marked('Acme/web', 'acme', 'me/w')).toBe('[Acme/w]eb')
  expect(marked('Acme', 'nothing')).toBe('Acme')
  expect(marked('', 'x')).toBe('')
})

it('markTerms marks nothing if lowercasing shifts the positions of letters', () => {
  expect(marked('İstanbul', 'stan')).toBe('İstanbul')
})

it('typedText turns keys pressed before the field existed into its text', () => {
  expect(typedText([])).toEqual({ text: '', isEntered: false })
  expect(typedText(['k', 'x', 'Backspace', 'Shift', 'E', ' ', '/', 'Tab'])).toEqual({
    text: 'kE /',
    isEntered: false,
  })
  expect(typedText(['k', 'Enter', 'Shift'])).toEqual({ text: 'k', isEntered: true })
  expect(typedText(['k', 'Enter', 'e'])).toEqual({ text: 'ke', isEntered: false })
  expect(typedText(['Backspace', 'Enter'])).toEqual({ text: '', isEntered: false })
})
