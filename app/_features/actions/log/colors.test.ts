import { describe, expect, it } from 'vitest'
import type { Color, Rgb } from './ansi'
import { contrast, cssOf } from './colors'

const papers: Rgb[][] = [
  [
    [255, 255, 255],
    [255, 235, 233],
    [255, 248, 197],
  ],
  [
    [13, 17, 23],
    [37, 23, 28],
  ],
]

/** Returns the light-theme and dark-theme colors of a CSS value. */
const both = (css: unknown): Rgb[] =>
  [...String(css).matchAll(/rgb\((\d+) (\d+) (\d+)\)/g)].map(
    ([, ...parts]) => parts.map(Number) as unknown as Rgb,
  )

const named = Array.from({ length: 16 }, (_, at): Color => ({ named: at }))
const cube = [0, 128, 255].flatMap(r =>
  [0, 128, 255].flatMap(g => [0, 128, 255].map((b): Color => ({ rgb: [r, g, b] }))),
)

describe('cssOf', () => {
  it('makes colors readable on all backgrounds of both themes', () => {
    for (const color of [...named, ...cube]) {
      both(cssOf({ color }).color).forEach((shown, theme) => {
        for (const paper of papers[theme] ?? [])
          expect(contrast(paper, shown), JSON.stringify({ color, theme, paper })).toBeGreaterThanOrEqual(4.5)
      })
    }
  })

  it('makes text readable on its own background color and when inverted', () => {
    for (const inverse of [false, true]) {
      for (const color of [undefined, ...named, ...cube]) {
        for (const background of [undefined, ...named, ...cube]) {
          if (!inverse && !background) continue
          const css = cssOf({ ...(color && { color }), ...(background && { background }), inverse })
          const [text, below] = [both(css.color), both(css.backgroundColor)]
          expect(below).toHaveLength(2)
          for (const theme of [0, 1])
            expect(contrast(text[theme] ?? [0, 0, 0], below[theme] ?? [0, 0, 0])).toBeGreaterThanOrEqual(4.5)
        }
      }
    }
  })

  it('does not change colors that are readable already', () => {
    expect(cssOf({ color: { rgb: [0, 0, 0] } }).color).toMatch(/^light-dark\(rgb\(0 0 0\)/)
    expect(cssOf({ bold: true })).toEqual({ fontWeight: 600 })
  })
})
