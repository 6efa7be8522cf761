import { describe, expect, it } from 'vitest'
import { isolated, visibleLine, visibleText } from './visible-text'

describe('visibleText and visibleLine', () => {
  it.each([
    ['invoice\u202egnp.exe', String.raw`invoice\u202egnp.exe`],
    ['\u2066a\u2069 \u200f\u061c', String.raw`\u2066a\u2069 \u200f\u061c`],
    ['zero\u200bwidth\ufeff, soft\u00adhyphen', String.raw`zero\u200bwidth\ufeff, soft\u00adhyphen`],
    ['\0bell\u0007 \u001b[31mred\u009b', String.raw`\u0000bell\u0007 \u001b[31mred\u009b`],
    ['half \ud83d a letter', String.raw`half \ud83d a letter`],
    ['hidden \u{e0041}', String.raw`hidden \u{e0041}`],
    ['over\rwritten', String.raw`over\u000dwritten`],
  ])('make the invisible characters in %j visible', (text, shown) => {
    expect(visibleText(text)).toBe(shown)
    expect(visibleLine(text)).toBe(shown)
  })

  it.each(['\ta\nb\n', 'Zoë, שלום, مرحبا', '👩‍💻 می‌خواهم'])('leave %j unchanged', text =>
    expect(visibleText(text)).toBe(text),
  )

  it('keep line breaks in a text but escape them in a line', () => {
    expect(visibleText('a\r\nb')).toBe('a\nb')
    expect(visibleLine('a\r\nb\tc')).toBe(String.raw`a\u000ab\u0009c`)
  })
})

it('isolated makes invisible characters in a name visible', () => {
  expect(isolated('v1\u202egnp')).toBe(String.raw`v1\u202egnp`)
  expect(isolated('\u2069بناء\n')).toBe(`\u2068${String.raw`\u2069بناء\u000a`}\u2069`)
})

it('isolated wraps only right-to-left text', () => {
  expect(isolated('CI für alle 👩‍💻')).toBe('CI für alle 👩‍💻')
  expect(isolated('بناء')).toBe('\u2068بناء\u2069')
  expect(isolated('בנייה v2')).toBe('\u2068בנייה v2\u2069')
})
