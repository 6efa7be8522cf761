import { expect, it } from 'vitest'
import { plainText, prettyJson } from './text'

it('plainText removes terminal color codes and nothing else', () => {
  expect(plainText('\u001b[1;31mred\u001b[0m [31m] \u001b[2Kdone\n')).toBe('red [31m] done\n')
})

it('prettyJson puts each value on its own line, but does not format JSON whose numbers would change', () => {
  expect(prettyJson('{"a":[1,2.50,"x"]}')).toBeUndefined()
  expect(prettyJson('{"a":[1,"x"]}')).toBe('{\n  "a": [\n    1,\n    "x"\n  ]\n}')
})

it.each(['{"id":12345678901234567890}', 'not JSON', '', '{\n  "a": 1\n}\n', '{"a":'])(
  'prettyJson returns undefined for %j',
  text => {
    expect(prettyJson(text)).toBeUndefined()
  },
)
