import { expect, it } from 'vitest'
import { seal, unseal } from './seal'

const config = { secretKey: 'k'.repeat(64) }

it('a sealed text is opened again, whatever its letters', () => {
  for (const text of ['', 'secret', 'ключ 🔑']) {
    expect(unseal(config, 'hook.secret', seal(config, 'hook.secret', text))).toBe(text)
  }
})

it('two seals of one text differ, and neither shows it', () => {
  const [first, second] = [seal(config, 'hook.secret', 'hunter2'), seal(config, 'hook.secret', 'hunter2')]
  expect(first.equals(second)).toBe(false)
  expect(first.includes('hunter2')).toBe(false)
})

it('what was changed, sealed for another purpose or under another key is refused', () => {
  const sealed = seal(config, 'hook.secret', 'hunter2')
  const refused = /cannot open what is sealed as hook/
  expect(() => unseal(config, 'hook.url', sealed)).toThrow(refused)
  expect(() => unseal({ secretKey: 'x'.repeat(64) }, 'hook.secret', sealed)).toThrow(refused)
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    expect(() => unseal(config, 'hook.secret', changed)).toThrow(refused)
  }
  expect(() => unseal(config, 'hook.secret', sealed.subarray(0, 10))).toThrow(refused)
})
