import { escapeText } from '@/server/kernel/rendering/lines'
import type { Badge } from '@/server/triggers/badge'

// Dark enough for white text.
const colors: Record<Badge['state'], string> = {
  passing: '#1a7f37',
  failing: '#cf222e',
  'no status': '#656d76',
}
const height = 20
const padding = 6
const maxLength = 60

/** Draws a badge: the name of a workflow, and how it went. */
export function badgeSvg({ name, state }: Pick<Badge, 'name' | 'state'>): string {
  const shown = shorten(name)
  const [left, right] = [boxWidth(shown), boxWidth(state)]
  const width = left + right
  const title = escapeText(`${shown}: ${state}`)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="t">`,
    `<title id="t">${title}</title>`,
    `<clipPath id="c"><rect width="${width}" height="${height}" rx="3"/></clipPath>`,
    '<g clip-path="url(#c)">',
    `<rect width="${left}" height="${height}" fill="#32383f"/>`,
    `<rect x="${left}" width="${right}" height="${height}" fill="${colors[state]}"/>`,
    '</g>',
    '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">',
    text(shown, 0),
    text(state, left),
    '</g></svg>',
  ].join('')
}

// `textLength` fits the text to its box in fonts that are wider or narrower than the estimate.
const text = (words: string, from: number): string =>
  `<text x="${from + padding}" y="14" textLength="${textWidth(words)}" lengthAdjust="spacingAndGlyphs">${escapeText(words)}</text>`

const boxWidth = (words: string): number => textWidth(words) + 2 * padding

/** Estimates the width of a text, in pixels. */
function textWidth(words: string): number {
  const width = [...words].reduce((sum, letter) => sum + letterWidth(letter), 0)
  return Math.max(Math.ceil(width), 1)
}

function letterWidth(letter: string): number {
  if (/[ijl.,:;|'!()[\]{} ftrI-]/.test(letter)) return 4.5
  if (/[mwMW@%]/.test(letter)) return 10.5
  // Ideographs, syllables and pictures.
  if (/[\u1100-\u{10ffff}]/u.test(letter)) return 11.5
  return /[A-Z]/.test(letter) ? 8 : 7
}

/** Returns a name without what XML does not allow and what would reorder the text around it. */
function shorten(name: string): string {
  const letters = [...name.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()]
  return letters.length > maxLength ? `${letters.slice(0, maxLength - 1).join('')}…` : letters.join('')
}
