import { gzipSync } from 'node:zlib'
import { oneOf, type Random } from '@/testing/random'
import { packZip } from '@/testing/zip'

const half = 512 * 1024
const repeated = (text: string, length = half): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length)

/** Texts that are hard on highlighters, renderers, and whatever else reads files. Each name is that of its file. */
const contents: readonly (readonly [name: string, make: (random: Random) => Buffer | string])[] = [
  ['lines.txt', () => repeated('a line\n', 700_000)],
  ['lines.ts', () => Array.from({ length: 50_001 }, (_, index) => `f(${index})`).join('\n')],
  ['empty-lines.py', () => '\n'.repeat(1_000_000)],
  ['line.js', () => 'x'.repeat(20_000_000)],
  ['line.md', () => 'x '.repeat(250_000)],
  ['line.svg', () => `<svg>${'<g/>'.repeat(5_000_000)}`],
  ['nul.c', () => Buffer.alloc(200_000)],
  ['some-nul.c', () => `int a;\n${'\0'.repeat(10)}\nint b;\n`],
  ['little.txt', () => Buffer.from(`\ufeff${repeated('päge\n', 100_000)}`, 'utf16le')],
  ['big.txt', () => Buffer.from(`\ufeff${repeated('päge\n', 100_000)}`, 'utf16le').swap16()],
  ['odd.txt', () => Buffer.from([0xff, 0xfe, 0x61])],
  ['latin.txt', () => Buffer.alloc(1_000_000, 0xe9)],
  ['surrogates.txt', () => Buffer.from(repeated('\ud83d', 100_000), 'utf16le')],
  ['unseen.txt', () => repeated('\u200b', 300_000)],
  ['joiners.txt', () => repeated('\u200d', 300_000)],
  ['flags.txt', () => repeated('\u{1f3f4}\u{e0067}', 240_000)],
  ['bidi.js', () => repeated('/* \u202e } \u2066if (a)\u2069 \u2066 begin */\n', 300_000)],
  ['marks.txt', () => repeated('a\u0301\u0302\u0303', 500_000)],
  ['controls.txt', () => Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 32))],
  ['archive.zip', () => packZip([{ name: '../../etc/passwd', bytes: 'x' }])],
  ['bomb.gz', () => gzipSync(Buffer.alloc(20_000_000))],
  ['page.html', () => repeated('<script>alert(1)</script>')],
  ['page.pdf', () => `%PDF-1.7\n${repeated('1 0 obj\n<< /JS (app.alert(1)) >>\n', 100_000)}`],
  [
    'image.svg',
    () => '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>',
  ],
  [
    'entities.xml',
    () => '<!DOCTYPE a [<!ENTITY a "&b;&b;"><!ENTITY b SYSTEM "file:///etc/passwd">]><a>&a;</a>',
  ],
  ['fake.png', () => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from('<script>')])],
  ['deep.json', () => '['.repeat(half)],
  ['keys.json', () => `{${'"a":{'.repeat(80_000)}`],
  ['quotes.py', () => repeated('"""\'\'\'')],
  ['comments.c', () => repeated('/* ')],
  ['regex.js', () => repeated('/[/[a ')],
  ['template.ts', () => repeated('`${')],
  ['generic.cpp', () => repeated('a<b<')],
  ['heredoc.sh', () => repeated('<<E\n')],
  ['nested.php', () => repeated('<?php ?>')],
  ['tags.html', () => repeated('<a ')],
  ['attributes.xml', () => repeated('<a b="')],
  ['quoted.md', () => '> '.repeat(half / 2)],
  ['lists.md', () => Array.from({ length: 700 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n')],
  ['brackets.md', () => repeated('[')],
  ['links.md', () => repeated('[a](')],
  ['images.md', () => repeated('![a][')],
  ['stars.md', () => repeated('*a **a ')],
  [
    'ticks.md',
    random => Array.from({ length: 1000 }, () => '`'.repeat(1 + Math.floor(random() * 500))).join(' '),
  ],
  [
    'references.md',
    () => Array.from({ length: 20_000 }, (_, at) => `[r${at}]: /a${at}\n[r${at}]`).join('\n'),
  ],
  ['footnotes.md', () => Array.from({ length: 20_000 }, (_, at) => `[^${at}]\n\n[^${at}]: a`).join('\n')],
  ['table.md', () => `${repeated('|a', 60_000)}\n${repeated('|-', 60_000)}\n${repeated('|b', 60_000)}`],
  ['comments.md', () => repeated('<!-- ')],
  ['raw.md', () => repeated('<div><details><table><b>', 200_000)],
  ['html.md', () => repeated('<a href="javascript:alert(1)" onclick=alert(1)>x</a>', 200_000)],
  ['autolinks.md', () => repeated('www.a.b.c.')],
  ['mails.md', () => repeated('a@a.a@')],
  ['mentions.md', () => repeated('@a #1 abc1234 ')],
  ['emoji.md', () => repeated(':tada:')],
  ['fences.md', () => repeated('```js\nlet a = `\n', 200_000)],
  ['headings.md', () => repeated('# a\n', 200_000)],
  ['entities.md', () => repeated('&amp;&#0;&notit;')],
  ['README.md', () => `# Tool\n\n${repeated('[![a](b.svg)](c) ', 400_000)}`],
  ['README', () => repeated('\u202e', 500_000)],
  ['LICENSE', () => repeated(' ', 1_000_000)],
  ['COPYING.md', () => repeated('permission is hereby granted ', 1_000_000)],
  [
    'pointer.bin',
    () =>
      `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 99999999999999999999\n`,
  ],
  [
    '.gitattributes',
    () =>
      '* filter=owned diff=owned merge=owned text eol=crlf working-tree-encoding=UTF-16 ident export-subst\n'.repeat(
        2000,
      ),
  ],
  ['.mailmap', () => repeated('A <a@b> <c@d>\n', 200_000)],
]

/** Returns a file whose content is hard to read or to show. */
export function hostileFile(random: Random): { name: string; content: Buffer } {
  const [name, make] = oneOf(random, contents)
  return { name, content: Buffer.from(make(random)) }
}
