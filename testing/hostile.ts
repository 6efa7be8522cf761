/** Strings that often break programs, such as control characters, injections and oversized text. */
export const hostileTexts: readonly string[] = [
  '',
  'a\0b',
  '\u0001\u001f\u007f',
  '\r\nX-Injected: yes',
  '\u202e\u2066',
  '\ud800',
  '🦊'.repeat(50),
  "' or 1=1 --",
  "'; drop table users; --",
  '\\',
  '%',
  '%00',
  '../../../../etc/passwd',
  '<script>alert(1)</script>',
  `\${7*7}{{7*7}}`,
  '__proto__',
  'constructor',
  'null',
  '-1',
  '1e999',
  '9223372036854775808',
  'x'.repeat(5000),
]

/** JSON values for tests that send a value of an unexpected type. */
export const hostileValues: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  [null],
  {},
  { toString: 'x', valueOf: 1, toJSON: 'x' },
  JSON.parse('{"__proto__":{"is_admin":true},"constructor":{"prototype":{}}}'),
  new Array(200).fill('read:user'),
]
