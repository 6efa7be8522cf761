import { readFile } from 'node:fs/promises'
import { gitOk } from '@/testing/git'
import { series } from '@/testing/series'
import { admin } from '../process/guildhall'
import { expectAccessible } from './axe'
import { call, makePerson } from './people'
import { pushFiles, withClone } from './push'
import { expect, signIn, test } from './site'

const source = Array.from({ length: 300 }, (_, index) => `export const value${index + 1} = ${index + 1}`)
source[4] = ''
const readme = `# Depot

See the [guide](docs/guide.md), and <script>document.title = 'run'</script> <img src=x onerror="document.title='run'">.

\`\`\`ts
const answer = 42
\`\`\`
`

test('pushed files can be found and read, by pointer and by keyboard, down to a line', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'coder')
  await call(site.url, 'POST', '/user/repos', { name: 'depot', auto_init: true }, owner)
  const at = `/${owner}/depot`
  await pushFiles(site.url, at, owner, {
    'README.md': readme,
    'docs/guide.md': '# The guide\n\n[Back](../README.md#depot)\n',
    'src/values.ts': `${source.join('\n')}\n`,
    'src/page.html': '<script>document.title = "run"</script>\n',
  })
  await page.goto(site.url + at)
  const main = page.getByRole('main')
  const files = main.getByRole('table', { name: 'Files' })
  await expect(files.getByRole('row', { name: 'src' })).toContainText('Change files')
  const text = main.getByRole('region', { name: 'README.md' })
  await expect(text.getByRole('heading', { name: 'Depot' })).toBeVisible()
  await expect(text.locator('pl-k').first()).toBeVisible()
  await expect(page).not.toHaveTitle('run')
  await expectAccessible(page)
  await text.getByRole('link', { name: 'guide' }).click()
  await expect(page).toHaveURL(`${site.url}${at}/src/branch/main/docs/guide.md`)
  await expect(main.getByRole('heading', { name: 'The guide' })).toBeVisible()
  await main.getByRole('link', { name: 'Source' }).click()
  await expect(main.locator('#L1')).toHaveText('# The guide')

  await page.goto(site.url + at)
  await files.getByRole('link', { name: 'src' }).click()
  await files.getByRole('link', { name: 'values.ts' }).click()
  await expect(page).toHaveURL(`${site.url}${at}/src/branch/main/src/values.ts`)
  await expect(main.locator('#L300')).toHaveText('export const value300 = 300')
  await expect(main.getByText('300 lines')).toBeVisible()
  await expectAccessible(page)

  // Line numbers are links, and Shift selects a range.
  await main.locator('#L10').click({ position: { x: 20, y: 10 } })
  await expect(page).toHaveURL(/#L10$/)
  await main.locator('#L12').click({ position: { x: 20, y: 10 }, modifiers: ['Shift'] })
  await expect(page).toHaveURL(/#L10-L12$/)
  await expect(main.locator('i[data-on]')).toHaveCount(3)
  await page.keyboard.press('y')
  await expect(page).toHaveURL(/\/src\/commit\/[0-9a-f]{40}\/src\/values\.ts#L10-L12$/)
  await page.reload()
  await expect(main.locator('i[data-on]')).toHaveCount(3)
  await expect(main.locator('#L10')).toBeInViewport()

  // The key T finds a file by letters of its path.
  await page.keyboard.press('t')
  await page.getByRole('combobox', { name: 'File name' }).fill('guimd')
  await expect(page.getByRole('option', { selected: true })).toHaveText('docs/guide.md')
  await page.keyboard.press('Enter')
  await expect(main.getByRole('heading', { name: 'The guide' })).toBeVisible()

  await page.goto(`${site.url}${at}/src/branch/main/src/page.html`)
  await expect(main.locator('#L1')).toContainText('<script>')
  await expect(page).not.toHaveTitle('run')
})

test('a file is in its page once, can be copied without line numbers, and can be read without scripts', async ({
  browser,
  site,
}) => {
  const owner = await makePerson(site.url, 'reader')
  await call(site.url, 'POST', '/user/repos', { name: 'once', auto_init: true }, owner)
  await pushFiles(site.url, `/${owner}/once`, owner, { 'values.ts': `${source.join('\n')}\n` })
  const address = `${site.url}/${owner}/once/src/branch/main/values.ts`
  const html = await (await fetch(address)).text()
  expect(html.split('value123').length - 1).toBe(1)

  const plain = await browser.newPage({ javaScriptEnabled: false })
  await plain.goto(address)
  await expect(plain.locator('#L300')).toHaveText('export const value300 = 300')
  await plain.close()

  const page = await browser.newPage()
  await page.goto(address)
  await expect(page.locator('#L6')).toBeVisible()
  const copied = await page.evaluate(() => {
    const range = document.createRange()
    range.setStartBefore(document.querySelector('#L4') as Node)
    range.setEndAfter(document.querySelector('#L6') as Node)
    const selection = getSelection() as Selection
    selection.removeAllRanges()
    selection.addRange(range)
    return selection.toString()
  })
  expect(copied.trimEnd().split('\n')).toEqual(source.slice(3, 6))
  await page.close()
})

test('each line of a commit is in its page once, also after the view is switched, and can be linked', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'differ')
  await call(site.url, 'POST', '/user/repos', { name: 'diffs', auto_init: true }, owner)
  const at = `/${owner}/diffs`
  await pushFiles(site.url, at, owner, { 'values.ts': `${source.join('\n')}\n` })
  await page.goto(`${site.url}${at}/commits/branch/main`)
  const main = page.getByRole('main')
  await main.getByRole('link', { name: 'Change files' }).click()
  const added = main.getByRole('table', { name: 'Changes of values.ts' }).getByText('value123 =')
  await expect(added).toBeVisible()
  const address = page.url()
  const html = await (await fetch(address)).text()
  expect(html.split('value123 =').length - 1).toBe(1)

  // As a document, with the view switched in place, and back.
  await page.goto(address)
  await expect(added).toBeVisible()
  await main.getByRole('link', { name: 'Split view' }).click()
  await expect(main.locator('table[data-view=split]').getByText('value123 =')).toBeVisible()
  await page.goBack()
  await expect(main.locator('table[data-view=unified]').getByText('value123 =')).toBeVisible()
  await main.getByRole('link', { name: '123', exact: true }).click()
  await expect(page).toHaveURL(/#diff-[0-9a-f]{40}R123$/)
  await page.reload()
  await expect(main.locator('td:target')).toBeInViewport()
})

test('the revision of a page can be switched, and its history leads to each commit', async ({
  page,
  site,
}) => {
  const owner = admin.name
  await call(site.url, 'POST', '/user/repos', { name: 'switched', auto_init: true })
  const at = `/${owner}/switched`
  await pushFiles(site.url, at, owner, { 'docs/a.txt': 'one\n' })
  await signIn(page, site.url, owner, admin.password)
  await page.goto(`${site.url}${at}/src/branch/main/docs/a.txt`)
  const main = page.getByRole('main')
  await main.locator('summary').filter({ hasText: 'main' }).click()
  await expect(page.getByRole('searchbox', { name: 'Find branches' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await main.getByRole('link', { name: 'History' }).click()
  await expect(page).toHaveURL(`${site.url}${at}/commits/branch/main/docs/a.txt`)
  await expect(main.getByRole('link', { name: /^Commit [0-9a-f]{10}$/ })).toHaveCount(1)
  await expect(main.getByRole('link', { name: 'Change files' })).toBeVisible()
  await expectAccessible(page)
})

test('a file, and a line in it, are found by keyboard alone', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'typist')
  await call(site.url, 'POST', '/user/repos', { name: 'keys', auto_init: true }, owner)
  const at = `/${owner}/keys`
  await pushFiles(site.url, at, owner, { 'src/values.ts': `${source.join('\n')}\n` })
  await page.goto(site.url + at)
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('t')
  await expect(page.getByRole('combobox', { name: 'File name' })).toBeFocused()
  await page.keyboard.type('values')
  await expect(page.getByRole('option', { selected: true })).toHaveText('src/values.ts')
  await page.keyboard.press('Enter')
  const main = page.getByRole('main')
  await expect(main.locator('#L300')).toBeAttached()
  await expect(page.getByRole('combobox', { name: 'File name' })).toBeHidden()

  const dialog = page.getByRole('dialog', { name: 'Go to line' })
  const field = dialog.getByRole('textbox', { name: 'Line or range of lines' })
  await page.keyboard.press('l')
  await expect(field).toBeFocused()
  await page.keyboard.type('301')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('status')).toContainText('from 1 to 300')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.keyboard.press('l')
  await expect(field).toBeFocused()
  await page.keyboard.type('200-202')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(main.locator('i[data-on]')).toHaveCount(3)
  await expect(main.locator('#L200')).toBeInViewport()
  await page.keyboard.press('y')
  await expect(page).toHaveURL(/\/src\/commit\/[0-9a-f]{40}\/src\/values\.ts#L200-L202$/)
})

test('files of a commit are listed by folders, which can be closed, and filtered by name', async ({
  page,
  site,
}) => {
  const owner = await makePerson(site.url, 'lister')
  await call(site.url, 'POST', '/user/repos', { name: 'tree', auto_init: true }, owner)
  const at = `/${owner}/tree`
  const names = Array.from({ length: 12 }, (_, index) => `src/part${index % 2}/file${index}.txt`)
  await pushFiles(site.url, at, owner, Object.fromEntries(names.map(name => [name, `${name}\n`])))
  await page.goto(`${site.url}${at}/commits/branch/main`)
  await page.getByRole('main').getByRole('link', { name: 'Change files' }).click()
  const list = page.getByRole('navigation', { name: 'Changed files' })
  const file = list.getByRole('link', { name: /^file3\.txt/ })
  await expect(file).toContainText('added+1')
  await expectAccessible(page)
  const folder = list.locator('summary').filter({ hasText: 'part1' })
  await expect(folder).toContainText('6 files')
  await folder.press('Enter')
  await expect(file).toBeHidden()
  await list.getByRole('searchbox', { name: 'Filter changed files' }).fill('FILE3')
  await expect(list.getByRole('link')).toHaveCount(1)
  await expect(list.getByRole('status')).toHaveText('1 of 12 files')
  await file.click()
  await expect(page.getByRole('region', { name: 'src/part1/file3.txt' })).toBeInViewport()
})

test('the page of a file is at most four times as large as the file', async ({ site }) => {
  const owner = await makePerson(site.url, 'weigher')
  await call(site.url, 'POST', '/user/repos', { name: 'lines', auto_init: true }, owner)
  // Ours, and code of short words, which are highlighted one by one.
  const sources = {
    'ordinary.ts': await readFile('server/code/diff/read-diff.ts', 'utf8'),
    'dense.ts': 'a[i]=f(b.c,1)+"x"+(d?e:-g)*h[j]||k(!l,m);n++;if(o){p=q()}else{r-=s}\n',
    'dense.py': 'def f(x, y=1):\n    return [g(a) for a in x if a["k"] != None]\n',
    'dense.sql': 'select a.b, c from d where e = 1 and f in (1, 2);\n',
  }
  const texts = Object.entries(sources).map(([name, source]) => {
    const lines = source.repeat(2000).split('\n', 2000)
    return [name, `${lines.join('\n')}\n`] as const
  })
  await pushFiles(site.url, `/${owner}/lines`, owner, { ...Object.fromEntries(texts), 'empty.ts': '' })
  const sizeOf = async (file: string): Promise<number> =>
    (await (await fetch(`${site.url}/${owner}/lines/src/branch/main/${file}`)).arrayBuffer()).byteLength
  // The first one may be shown without its last commit.
  await sizeOf('empty.ts')
  const empty = await sizeOf('empty.ts')
  for (const [name, text] of texts) {
    await sizeOf(name)
    expect(((await sizeOf(name)) - empty) / text.length, name).toBeLessThanOrEqual(4)
  }
})

test('a file of 10,000 lines scrolls without long tasks, and its last line can be found', {
  tag: '@series',
}, async ({ page, site }) => {
  const owner = await makePerson(site.url, 'scroller')
  await call(site.url, 'POST', '/user/repos', { name: 'long', auto_init: true }, owner)
  const lines = Array.from({ length: 10_000 }, (_, index) => `const value${index + 1} = f(${index + 1})`)
  await pushFiles(site.url, `/${owner}/long`, owner, { 'a.ts': `${lines.join('\n')}\n` })
  await page.goto(`${site.url}/${owner}/long/src/branch/main/a.ts`, { waitUntil: 'networkidle' })
  await page.evaluate(() => {
    const tasks: number[] = []
    Object.assign(window, { tasks })
    new PerformanceObserver(list => {
      for (const { duration } of list.getEntries()) tasks.push(duration)
    }).observe({ type: 'longtask' })
  })
  await page.mouse.move(600, 500)
  // Its length is 200,000 pixels.
  for (let step = 0; step < series(20, 100); step++) {
    await page.mouse.wheel(0, 2000)
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
  }
  const tasks = await page.evaluate(() => (window as unknown as { tasks: number[] }).tasks)
  // It runs beside other tests, and only notices if all lines are laid out at once.
  expect(Math.max(0, ...tasks)).toBeLessThan(500)
  const isFound = await page.evaluate(() =>
    (window as unknown as { find(text: string): boolean }).find('value10000'),
  )
  expect(isFound).toBe(true)
  await expect(page.locator('#L10000')).toBeInViewport()
})

test('a long history has pages, also of one author', async ({ page, site }) => {
  const owner = await makePerson(site.url, 'historian')
  await call(site.url, 'POST', '/user/repos', { name: 'history', auto_init: true }, owner)
  const at = `/${owner}/history`
  await withClone(site.url, at, owner, async (cwd, authorization) => {
    for (let count = 1; count <= 31; count++) {
      await gitOk(['commit', '-q', '--allow-empty', '-m', `Step ${count}`], { cwd })
    }
    await gitOk(['push', '-q', 'origin', 'HEAD:main'], { cwd, authorization })
  })
  await page.goto(`${site.url}${at}/commits/branch/main`)
  const main = page.getByRole('main')
  await expect(main.getByRole('link', { name: 'Step 31', exact: true })).toBeVisible()
  await main.getByRole('link', { name: 'Older' }).click()
  await expect(main.getByRole('link', { name: 'Step 1', exact: true })).toBeVisible()
  await main.getByRole('link', { name: 'Newer' }).click()
  await expect(main.getByRole('link', { name: 'Step 31', exact: true })).toBeVisible()
  await main.getByLabel('Author', { exact: true }).fill(owner)
  await page.keyboard.press('Enter')
  await expect(main.getByRole('link', { name: 'Initial commit' })).toBeVisible()
  await expect(main.getByRole('link', { name: 'Step 31', exact: true })).toBeHidden()
})
