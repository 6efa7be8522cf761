import { describe, expect, it } from 'vitest'
import { type Draft, dropDraft, keepDraft, readDraft } from './drafts'

function makeStore(maxCharacters = Number.POSITIVE_INFINITY) {
  const entries = new Map<string, string>()
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (value.length > maxCharacters) throw new Error('full')
      entries.set(key, value)
    },
    removeItem: (key: string) => void entries.delete(key),
    key: (index: number) => [...entries.keys()][index] ?? null,
    get length() {
      return entries.size
    },
  }
}

const draftAt = (at: number, text = 'text'): Draft => ({ text, path: 'a.txt', base: 'abc', at })

describe('drafts', () => {
  it('a draft can be read until it is dropped, or for 30 days', () => {
    const store = makeStore()
    expect(keepDraft(store, 'one', draftAt(5))).toBe(true)
    expect(readDraft(store, 'one', 6)).toEqual(draftAt(5))
    expect(readDraft(store, 'other', 6)).toBeUndefined()
    expect(readDraft(store, 'one', 31 * 86_400_000)).toBeUndefined()
    dropDraft(store, 'one', ['text'])
    expect(readDraft(store, 'one', 6)).toBeUndefined()
  })

  it('a draft with a text that another tab has kept is not dropped', () => {
    const store = makeStore()
    keepDraft(store, 'one', draftAt(5, 'theirs'))
    dropDraft(store, 'one', ['kept', 'committed', undefined])
    expect(readDraft(store, 'one', 6)).toEqual(draftAt(5, 'theirs'))
  })

  it('the oldest drafts are removed before they fill the browser’s storage', () => {
    const store = makeStore()
    store.setItem('another page’s', 'x'.repeat(5_000_000))
    for (let at = 1; at <= 4; at++) keepDraft(store, `draft ${at}`, draftAt(at, 'x'.repeat(700_000)))
    expect([1, 2, 3, 4].map(at => readDraft(store, `draft ${at}`, 5) !== undefined)).toEqual([
      false,
      false,
      true,
      true,
    ])
    expect(store.getItem('another page’s')).not.toBeNull()
  })

  it('a draft that was removed is kept again only if there is room for it', () => {
    const store = makeStore()
    for (const key of ['one', 'two', 'three']) {
      const draft = draftAt(1, 'x'.repeat(700_000))
      expect(keepDraft(store, key, draft, true)).toBe(key !== 'three')
    }
    expect(['one', 'two', 'three'].map(key => readDraft(store, key, 2) !== undefined)).toEqual([
      true,
      true,
      false,
    ])
  })

  it('says that a draft is not kept if it is too long or the storage is full', () => {
    expect(keepDraft(makeStore(), 'one', draftAt(1, 'x'.repeat(1_000_001)))).toBe(false)
    expect(keepDraft(makeStore(10), 'one', draftAt(1))).toBe(false)
  })

  it('what another program wrote is no draft', () => {
    const store = makeStore()
    for (const text of ['', 'null', '[]', '{"text":1}', '{']) {
      store.setItem('guildhall-draft one', text)
      expect(readDraft(store, 'one', 1)).toBeUndefined()
    }
  })
})
