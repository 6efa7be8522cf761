import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { renderFile } from './render-file'

const options = {
  baseUrl: 'https://forge.test',
  repository: '/o/r',
  people: new Set(['mona']),
  file: { links: '/o/r/src/branch/main', raw: '/o/r/raw/branch/main', folder: 'docs/guide' },
}
const render = (text: string): string => renderFile(text, options).trim()
const hrefOf = (link: string): string | undefined =>
  /<a [^>]*?href="([^"]*)"/.exec(render(`<a href="${link}">x</a>`))?.[1]
const srcOf = (image: string): string | undefined =>
  /<img [^>]*?src="([^"]*)"/.exec(render(`<img src="${image}">`))?.[1]

describe('links in a Markdown file', () => {
  test.each([
    ['other.md', '/o/r/src/branch/main/docs/guide/other.md'],
    ['./a/../b.go#L10', '/o/r/src/branch/main/docs/guide/b.go#L10'],
    ['../README.md#setup', '/o/r/src/branch/main/docs/README.md#user-content-setup'],
    ['../../../../../x', '/o/r/src/branch/main/x'],
    ['/LICENSE', '/o/r/src/branch/main/LICENSE'],
    ['/', '/o/r/src/branch/main'],
    ['a%20b.md?plain=1', '/o/r/src/branch/main/docs/guide/a%20b.md?plain=1'],
    ['%2e%2e/%2e%2e/x', '/o/r/src/branch/main/x'],
    ['a%2Fb', '/o/r/src/branch/main/docs/guide/a%2Fb'],
    ['100%', '/o/r/src/branch/main/docs/guide/100%25'],
    ['a\\..\\..\\b', '/o/r/src/branch/main/docs/guide/a%5C..%5C..%5Cb'],
    ['#getting-started', '#user-content-getting-started'],
    ['#user-content-a', '#user-content-a'],
    ['https://e.test/a#b', 'https://e.test/a#b'],
    ['https://forge.test/ada/x#L1', '/ada/x#L1'],
    ['https://forge.test//e.test', 'https://forge.test//e.test'],
    ['mailto:a@e.test', 'mailto:a@e.test'],
  ])('to %j lead to %j', (link, href) => expect(hrefOf(link)).toBe(href))

  test.each([
    'javascript:alert(1)',
    ' JaVa&#9;Script&colon;alert(1)',
    '&#x6a;avascript:alert(1)',
    'java&NewLine;script:alert(1)',
    '\x01javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://forge.test/x',
    '//e.test',
    '/\\e.test',
    '\\\\e.test',
    '/&#9;/e.test',
    '',
  ])('to %j run nothing and lead to no other site', link => {
    const href = hrefOf(link)
    if (href !== undefined) expect(href).toMatch(/^\/o\/r\/src\/branch\/main\//)
  })

  it('to headings lead to the identifiers that GitHub gives them', () => {
    expect(render('# Say "Hi", `x`!\n\n## Été_1-2\n\n## Été_1-2\n')).toMatch(
      /^<h3 id="user-content-say-hi-x">.*<h4 id="user-content-été_1-2">.*<h4 id="user-content-été_1-2-1">/s,
    )
    expect(render('# A & <b>B</b>')).toBe(
      '<h3 id="user-content-a--b">A &amp; <b>B</b><a class="anchor" aria-label="Permalink: A &amp; B" href="#user-content-a--b">#</a></h3>',
    )
    expect(render('# constructor\n# `__proto__`')).toMatch(
      /id="user-content-constructor".*id="user-content-__proto__"/s,
    )
  })
})

describe('images in a Markdown file', () => {
  test.each([
    ['a.png', '/o/r/raw/branch/main/docs/guide/a.png'],
    ['../a.svg?raw=true', '/o/r/raw/branch/main/docs/a.svg'],
    ['/logo.png', '/o/r/raw/branch/main/logo.png'],
    ['https://forge.test/attachments/1', '/attachments/1'],
    ['https://e.test/x.png', undefined],
    ['https://forge.test//e.test/x', undefined],
    ['//e.test/x.png', undefined],
    ['data:image/svg+xml,<svg onload=alert(1)>', undefined],
  ])('at %j are shown from %j', (image, src) => expect(srcOf(image)).toBe(src))

  it('keep their size and alignment, and the variants that are in the repository', () => {
    expect(render('<img src="a.png" width="200" height="50%" align="right">')).toContain(
      'align="right" src="/o/r/raw/branch/main/docs/guide/a.png" alt="" width="200" height="50%"',
    )
    const html = render(
      '<picture><source media="(prefers-color-scheme: dark)" srcset="d.png, d2.png 2x"><source srcset="https://e.test/x 1x"><img src="l.png"></picture>',
    )
    expect(html.match(/<source [^>]*>/g)).toEqual([
      '<source media="(prefers-color-scheme: dark)" srcset="/o/r/raw/branch/main/docs/guide/d.png, /o/r/raw/branch/main/docs/guide/d2.png 2x" />',
      '<source />',
    ])
  })
})

test('a Markdown file has footnotes at its end, in the order of their references, with links back', () => {
  const html = render(
    'a[^b] b[^1] c[^B] d[^none] [^constructor]\n\n[^1]: One\n\n[^b]: **Two**\n\n    more\n[^c]: never\n',
  )
  expect(html).toContain(
    'a<sup><a aria-label="Footnote 1" href="#user-content-fn-1" id="user-content-fnref-1">1</a></sup> b',
  )
  expect(html).toContain('d[^none] [^constructor]</p>')
  expect(html).toContain('<li id="user-content-fn-1">\n<p><strong>Two</strong></p>\n<p>more <a')
  expect(html).toMatch(
    /more <a [^>]*href="#user-content-fnref-1">↩<\/a> <a [^>]*href="#user-content-fnref-1-2">/,
  )
  expect(html).toMatch(/<li id="user-content-fn-2">\n<p>One <a/)
  expect(html).not.toContain('never')
})

test('a Markdown file has emoji for short names, but not inside words, numbers or code', () => {
  expect(render(':tada::+1: `:tada:` a:tada:b 1:100:2 :constructor:')).toBe(
    '<p>🎉👍 <code>:tada:</code> a:tada:b 1:100:2 :constructor:</p>',
  )
})

test('a Markdown file has links to people and commits', () => {
  expect(render('@mona a1b2c3d')).toBe(
    '<p><a href="/mona" rel="nofollow noopener">@mona</a> ' +
      '<a href="/o/r/commit/a1b2c3d" rel="nofollow noopener"><code title="a1b2c3d">a1b2c3d</code></a></p>',
  )
})

test('a Markdown file breaks lines only where its author did, and keeps alignment, details and tables', () => {
  expect(render('one\ntwo')).toBe('<p>one\ntwo</p>')
  expect(render('<div align="center">\n\n# x\n\n</div>')).toMatch(/^<div align="center">\n<h3/)
  expect(render('<details open><summary>S</summary>\n\n*x*\n\n</details>')).toContain('<em>x</em>')
  expect(render('|a|\n|-:|\n|1|')).toContain('<td align="right">1</td>')
})

test('a code block of a Markdown file names its grammar', () => {
  expect(render('```ts {1}\nlet a\n```')).toBe(
    '<pre tabindex="0" data-language="typescript"><code>let a\n</code></pre>',
  )
  expect(render('```evil"><b>\nx\n```')).toBe('<pre tabindex="0"><code>x\n</code></pre>')
  expect(render('<pre data-language="x onload=1">x</pre>')).toBe('<pre tabindex="0">x</pre>')
})

describe('front matter of a Markdown file', () => {
  it('is folded above the text, without changing it', () => {
    expect(render('---\ntitle: <b>\ntags: [a]\n---\n# x')).toMatch(
      /^<details><summary>Front matter<\/summary><pre tabindex="0" data-language="yaml"><code>title: &lt;b&gt;\ntags: \[a\]\n<\/code><\/pre><\/details>\n<h3/,
    )
  })

  it.each(['---\na\n---\nb', '---\na: b\n', 'x\n---\na: b\n---\n'])('is not found in %j', text =>
    expect(render(text)).not.toContain('Front matter'),
  )
})

const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<a id="main" name="location" onclick=alert(1) style="position:fixed" target=_top href="//e.test">',
  '<form id="cookie"><input name="body"></form>',
  '<p id="__proto__" class="Overlay" align="&quot;><script>">',
  '<picture><source srcset="javascript:alert(1)"><source srcset="//e.test/x 1x, a.png 2x">',
  '<td background=//e.test style=x>',
  '[x](javascript:alert(1) "&quot; onload=x")',
  '![x](data:image/svg+xml;base64,PHN2Zy8+)',
  '[^<img src=x onerror=alert(1)>]',
  '\n\n[^<b>]: <script>alert(1)</script>\n\n',
  '[^a"onload=1]\n\n[^a"onload=1]: x\n\n',
  '\n# <img src=x onerror=alert(1)> " onload=x [a](javascript:x)\n',
  '\n```"><script>\n</code></pre><script>alert(1)</script>\n```\n',
  '<pre data-language="go" onload=x><code></code><script>',
  '<a aria-label="&quot;><script>" href="#&quot;><script>">',
  '<details ontoggle=alert(1) open><summary onclick=x>',
  '<iframe srcdoc="<script>"></iframe><object data=x><embed src=x><base href=//e.test>',
  '<math><mi xlink:href="javascript:x">',
  ':tada:" onload=x',
  '@mona"><script>',
  '<!--> <script>alert(1)</script> -->',
  '<![CDATA[<script>]]>',
  '\n|a|\n|-|\n|<script>|\n',
  '</div></div></main>',
  '<plaintext>',
  '"',
  "'",
  '>',
]

const tag =
  /^<\/?(?:h[3-6]|p|br|hr|ul|ol|li|blockquote|pre|code|em|strong|b|i|u|s|del|ins|sub|sup|kbd|samp|var|abbr|a|img|span|table|thead|tbody|tr|th|td|dl|dt|dd|details|summary|div|picture|source|figure|figcaption|caption|tfoot|mark|small|strike|tt|q|cite|dfn|wbr|ruby|rt|rp)(?: [a-z-]+(?:="[^"<>]*")?)*(?: \/)?>$/
const attribute = {
  href: /^(?:\/o\/r\/src\/branch\/main(?:\/|$)|\/mona$|#user-content-|https?:|mailto:)/,
  src: /^\/o\/r\/raw\/branch\/main\//,
  srcset: /^\/o\/r\/raw\/branch\/main\/\S+(?: \S+)?(?:, \/o\/r\/raw\/branch\/main\/\S+(?: \S+)?)*$/,
  id: /^user-content-/,
  class: /^(?:anchor|footnotes|task|alert.*)$/,
}

/** Expects only elements and attributes that run nothing, load nothing from elsewhere, and name nothing of the page. */
function expectHarmless(html: string): void {
  for (const [element] of html.matchAll(/<[^>]*>/g)) {
    expect(element).toMatch(tag)
    for (const [, name = '', value] of element.matchAll(/ ([a-z-]+)="([^"]*)"/g)) {
      expect(name).not.toMatch(/^on|^(?:style|name|target|background|srcdoc)$/)
      const allowed = attribute[name as keyof typeof attribute]
      if (allowed) expect(value).toMatch(allowed)
    }
  }
  expect(html.replace(/<[^>]*>/g, '')).not.toMatch(/[<>]/)
}

describe('a Markdown file cannot run scripts or affect the page around it', () => {
  it.each(hostile)('%s', text => expectHarmless(render(text)))

  it('whatever is combined', () => {
    const text = fc.array(
      fc.constantFrom(...hostile, ' ', '\n', '\n\n', '> ', '- ', '`', '*', '[', '](', ')'),
    )
    fc.assert(
      fc.property(text, parts => expectHarmless(render(parts.join('')))),
      { numRuns: 300 },
    )
  })
})

describe('rendering a Markdown file takes linear time for', () => {
  test.each([
    ['parentheses', '('.repeat(200_000)],
    ['quotes', '> '.repeat(100_000)],
    ['footnotes', `${'[^a]'.repeat(50_000)}\n\n[^a]: b`],
    ['definitions of footnotes', Array.from({ length: 30_000 }, (_, at) => `[^${at}]: a\n`).join('\n')],
    ['nested footnotes', '[^a]: '.repeat(80_000)],
    ['labels without end', '[^'.repeat(100_000)],
    ['same headings', '# a\n'.repeat(8_000)],
    ['short names', ':a'.repeat(100_000)],
    ['front matter', `---\n${'#\n'.repeat(100_000)}---\n`],
    ['candidates of pictures', `<source srcset="${'a 1x,'.repeat(50_000)}">`],
    ['addresses', `[a](${'../'.repeat(100_000)})`],
  ])('%s', (_, text) => {
    const start = process.cpuUsage()
    render(text)
    const { user, system } = process.cpuUsage(start)
    // Several times what any text takes, and far less than quadratic time would.
    expect((user + system) / 1000).toBeLessThan(5000)
  })
})
