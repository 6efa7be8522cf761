import { describe, expect, it } from 'vitest'
import { visibleLine, visibleText } from './visible-text'

describe('a text of somebody else', () => {
  it.each([
    ['invoice\u202egnp.exe', String.raw`invoice\u202egnp.exe`],
    ['\u2066a\u2069 \u200f\u061c', String.raw`\u2066a\u2069 \u200f\u061c`],
    ['zero\u200bwidth\ufeff, soft\u00adhyphen', String.raw`zero\u200bwidth\ufeff, soft\u00adhyphen`],
    ['\0bell\u0007 \u001b[31mred\u009b', String.raw`\u0000bell\u0007 \u001b[31mred\u009b`],
    ['half \ud83d a letter', String.raw`half \ud83d a letter`],
    ['hidden \u{e0041}', String.raw`hidden \u{e0041}`],
    ['over\rwritten', String.raw`over\u000dwritten`],
  ])('%j shows what nobody could see in it', (text, shown) => {
    expect(visibleText(text)).toBe(shown)
    expect(visibleLine(text)).toBe(shown)
  })

  it.each(['\ta\nb\n', 'Zoë, שלום, مرحبا', '👩‍💻 می‌خواهم'])('%j is shown as it is', text =>
    expect(visibleText(text)).toBe(text),
  )

  it('keeps its lines, however they end, where it may have several', () => {
    expect(visibleText('a\r\nb')).toBe('a\nb')
    expect(visibleLine('a\r\nb\tc')).toBe(String.raw`a\u000ab\u0009c`)
  })
})
