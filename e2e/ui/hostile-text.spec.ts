import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BrowserContext } from '@playwright/test'
import { gitOk } from '@/testing/git'
import { call, makePerson } from './people'
import { withClone } from './push'
import { expect, test } from './site'

const image = '<img src=x onerror=ran()>'
const script = '<script>ran()</script>'

/** Files whose names, texts, or types would run a script in a site that trusts them, by path. */
const files: Record<string, string> = {
  [`${image.replaceAll(' ', '\t')}.txt`]: 'A file name\n',
  '"onmouseover="ran()" style="position:fixed;inset:0".txt': 'A file name that leaves an attribute\n',
  'javascript:ran()': 'A file name that is a URL\n',
  "';ran();'.js": 'A file name that leaves a string\n',
  '{{constructor.constructor("ran()")()}}.txt': 'A template\n',
  'README.md': `# ${image}\n\n${script}\n\n[x](javascript:ran())\n`,
  'md/raw.md': [
    '<a href="javascript:ran()" onclick="ran()">x</a><iframe srcdoc="<script>parent.ran()</script>"></iframe>',
    '<details open ontoggle=ran()><summary>x</summary></details><video><source onerror=ran()></video>',
    '<style>@import "//evil.example/a.css"; body{background:url(javascript:ran())}</style>',
    '<form action="javascript:ran()"><button autofocus onfocus=ran()>x</button></form>',
    '<object data="data:text/html,<script>ran()</script>"></object><embed src="javascript:ran()">',
    '<base href="//evil.example/"><meta http-equiv="refresh" content="0;url=javascript:ran()">',
    '<img src="x"\nonerror="ran()"><IMG SRC=x ONERROR=ran()><img/src/onerror=ran()>',
    '<noscript><p title="</noscript><img src=x onerror=ran()>"></noscript>',
    '<a id=x name=getElementById tabindex=1 onfocus=ran() autofocus>x</a>',
  ].join('\n\n'),
  'md/links.md': [
    '[a](JaVaScRiPt:ran()) [b](&#106;avascript:ran()) [c](java\tscript:ran()) [d](vbscript:ran())',
    '[e](data:text/html;base64,PHNjcmlwdD5yYW4oKTwvc2NyaXB0Pg==) [f](<javascript:ran()> "x")',
    '<javascript:ran()> <data:text/html,ran> ![g](javascript:ran()) ![h](data:image/svg+xml,<svg/onload=ran()>)',
    '[i][r] [r]\n\n[r]: javascript:ran() "\\" onmouseover=ran()"',
    '[j](x "\\"onmouseover=ran() x=\\"") www.x.com"onmouseover=ran() https://x.test/"onmouseover="ran()',
  ].join('\n\n'),
  'md/svg.md': `<svg onload=ran()><animate onbegin=ran() attributeName=x dur=1s></svg><svg><script>ran()</script></svg>\n\n<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=ran()&gt;"></math>\n\n<math href="javascript:ran()">x</math><svg><a xlink:href="javascript:ran()"><text y=9>x</text></a></svg>\n`,
  'md/notes.md': `Text[^<img/onerror=ran()/src>]\n\n[^<img/onerror=ran()/src>]: ${image} [x](javascript:ran())\n\n> [!NOTE]\n> ${image}\n\n> [!${image}]\n> x\n\n:${image}: :smile"onload=ran():\n`,
  'md/code.md': `\`\`\`"><img/src=x/onerror=ran()>\n${script}\n\`\`\`\n\n\`\`\`mermaid\ngraph LR; A["<img src=x onerror=ran()>"]; click A "javascript:ran()"\n\`\`\`\n\n\`${image}\` $\\href{javascript:ran()}{x}$\n`,
  'src/code.ts': `const a = "${image}" // ${script}\n/** {@link javascript:ran()} */\nconst b = \`\${'</i></pre>${script}'}\`\n`,
  'src/page.vue': `<template>${image}</template>\n${script}\n`,
  'raw/image.svg': `<svg xmlns="http://www.w3.org/2000/svg" onload="ran()">${script}</svg>\n`,
  'raw/page.html': `<!doctype html><title>x</title>${script}${image}<iframe src="javascript:parent.ran()"></iframe>\n`,
  'raw/page.xhtml': `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body>${script}</body></html>\n`,
  'raw/style.xml': `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="data:text/xml,x"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">ran()</x:script>\n`,
  'raw/file.pdf':
    '%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\ntrailer<</Root 1 0 R>>\n',
  'raw/script.js': 'ran()\n',
  'raw/gif.js': 'GIF89a=ran()//\n',
  'raw/utf7.txt': '+ADw-script+AD4-ran()+ADw-/script+AD4-\n',
  '.gitmodules': '[submodule "a"]\n\tpath = sub\n\turl = javascript:ran()\n',
}
const branch = 'b/"><img/src=x/onerror=ran()>'
const tag = 'v"onmouseover=ran()<svg/onload=ran()>'
const message = `${image}${script}\n\n[x](javascript:ran()) javascript:ran() https://x.test/"onmouseover="ran()\n`
const author = `${image.replaceAll(/[<>]/g, '"')} '"><svg/onload=ran() <"onload=ran()@example.test>`.replace(
  '"><svg',
  '" svg',
)

test('no script of a repository runs, wherever its names and texts are shown', async ({ context, site }) => {
  const owner = await makePerson(site.url, 'mallory')
  await call(
    site.url,
    'POST',
    '/user/repos',
    { name: 'hostile', auto_init: true, default_branch: 'main', description: image },
    owner,
  )
  const at = `/${owner}/hostile`
  await withClone(site.url, at, owner, async (cwd, authorization) => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(cwd, path)), { recursive: true })
      await writeFile(join(cwd, path), text)
    }
    await gitOk(['add', '.'], { cwd })
    await gitOk(['update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`], { cwd })
    await gitOk(['commit', '-q', `--author=${author}`, '-m', message], { cwd })
    await gitOk(['tag', '-a', tag, '-m', message], { cwd })
    await gitOk(['branch', branch], { cwd })
    await writeFile(join(cwd, 'src/code.ts'), `${files['src/code.ts']}const c = '${image}${script}'\n`)
    await gitOk(['commit', '-q', '-a', '-m', message], { cwd })
    await gitOk(['push', '-q', 'origin', 'HEAD:main', branch, tag], { cwd, authorization })
  })
  const release = {
    tag_name: tag,
    name: image,
    body: Object.entries(files)
      .flatMap(([path, text]) => (path.startsWith('md/') ? text : []))
      .join('\n\n'),
  }
  await call(site.url, 'POST', `/repos${at}/releases`, release, owner)
  const seen = await watch(context, site.url)
  const encoded = (text: string): string => text.split('/').map(encodeURIComponent).join('/')
  const paths = Object.keys(files).map(encoded)
  const ref = encoded(branch)
  const pages = [
    '',
    '/src/branch/main/md',
    '/src/branch/main/raw',
    `/src/branch/${ref}`,
    `/src/tag/${encoded(tag)}/README.md`,
    ...paths.map(path => `/src/branch/main/${path}`),
    ...paths.filter(path => path.endsWith('.md')).map(path => `/src/branch/main/${path}?display=source`),
    ...paths.filter(path => path.startsWith('raw/')).map(path => `/raw/branch/main/${path}`),
    '/commits/branch/main',
    `/commits/branch/${ref}`,
    '/commit/main',
    '/commit/main~1',
    `/compare/${encodeURIComponent(branch)}...main`,
    '/tags',
    '/branches',
    '/releases',
    `/releases/tag/${encoded(tag)}`,
    '/activity',
  ]
  const visited = [...pages.map(page => at + page), `/${owner}`].values()
  const visitRest = async (): Promise<void> => {
    const page = await context.newPage()
    for (const path of visited) {
      // What is not shown is downloaded.
      await page
        .goto(site.url + path, { waitUntil: 'load' })
        .catch((error: Error) => expect(error.message).toMatch(/ERR_ABORTED|Download is starting/))
      const active = await page.evaluate(() =>
        [...document.querySelectorAll('main *')].flatMap(element =>
          [...element.attributes].flatMap(({ name, value }) =>
            /^on|^srcdoc$/.test(name) ||
            (/^(?:href|src|action|data|xlink:href|formaction)$/.test(name) &&
              /^\s*(?:javascript|vbscript|data:text)/i.test(value))
              ? [`${name}="${value}"`]
              : [],
          ),
        ),
      )
      expect(active, path).toEqual([])
    }
  }
  await Promise.all([visitRest(), visitRest()])
  expect(seen).toEqual({ runs: [], dialogs: [], foreign: [], violations: [] })
})

/** Records what pages do that only scripts and markup of the repository would do. */
async function watch(context: BrowserContext, url: string) {
  const seen = {
    runs: [] as string[],
    dialogs: [] as string[],
    foreign: [] as string[],
    violations: [] as string[],
  }
  await context.exposeBinding('ran', ({ page }) => seen.runs.push(page.url()))
  await context.exposeBinding('violates', ({ page }, what: string) =>
    seen.violations.push(`${page.url()} ${what}`),
  )
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      ;(window as unknown as { violates(what: string): void }).violates(`${violatedDirective} ${blockedURI}`)
    })
  })
  context.on('dialog', dialog => {
    seen.dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  context.on('request', request => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) seen.foreign.push(request.url())
  })
  return seen
}
