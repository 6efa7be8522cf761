import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeTexts } from './merge-texts'

const base = 'one\ntwo\nthree\nfour\nfive\n'

describe('mergeTexts', () => {
  it('puts changes of both sides together if they don’t overlap', () => {
    const merged = mergeTexts(base, base.replace('one', 'ONE'), `${base.replace('four', 'FOUR')}six\n`)
    expect(merged).toEqual({
      text: 'ONE\ntwo\nthree\nFOUR\nfive\nsix\n',
      combined: 1,
      conflicts: 0,
    })
  })

  it('counts a region that both changed, and shows ours', () => {
    const merged = mergeTexts(base, base.replace('two', 'zwei'), base.replace('two\n', 'deux\ndos\n'))
    expect(merged).toEqual({ text: base.replace('two', 'zwei'), combined: 0, conflicts: 1 })
  })

  it('changes next to each other conflict, as in Git', () => {
    expect(mergeTexts(base, base.replace('two', '2'), base.replace('three', '3'))?.conflicts).toBe(1)
  })

  it('what both changed in the same way is no conflict', () => {
    const changed = base.replace('two\n', '')
    expect(mergeTexts(base, changed, changed)).toEqual({ text: changed, combined: 0, conflicts: 0 })
  })

  it('a text both added to at its end, and one without a last line break, lose nothing', () => {
    expect(mergeTexts('a', 'a\nb', 'c\na')?.conflicts).toBe(1)
    expect(mergeTexts('', 'a\n', 'b\n')?.conflicts).toBe(1)
    expect(mergeTexts('a\nb\nc\nd', 'a\nb\nc\nd\n', 'x\nb\nc\nd')?.text).toBe('x\nb\nc\nd\n')
  })

  it('returns the other side if one is unchanged', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', '\n', '\n'), { maxLength: 40 })
      .map(all => all.join(''))
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(mergeTexts(one, one, other)?.text).toBe(other)
        expect(mergeTexts(one, other, one)?.text).toBe(other)
        expect(mergeTexts(one, other, other)?.text).toBe(other)
      }),
    )
  })

  it('returns undefined for more different lines than it can tell apart', () => {
    const long = Array.from({ length: 70_000 }, (_, index) => `${index}\n`).join('')
    expect(mergeTexts('', long, '')).toBeUndefined()
  })
})
