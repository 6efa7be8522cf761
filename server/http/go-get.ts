import type { ServerResponse } from 'node:http'

const repositoryForm = /^\/([\w.-]{1,100})\/([\w.-]{1,100})(?:\/|$)/

/**
 * Answers the request with which `go get` asks where the repository of a module is. Returns false for all other
 * requests. The answer is the same for every repository, whether it exists or not, so it reveals nothing.
 */
export function answerGoGet(
  { pathname, searchParams }: Pick<URL, 'pathname' | 'searchParams'>,
  baseUrl: string,
  response: ServerResponse,
): boolean {
  const [, owner, name] = repositoryForm.exec(pathname) ?? []
  if (searchParams.get('go-get') !== '1' || owner === undefined || name === undefined || owner === '-')
    return false
  const page = `${baseUrl}/${owner}/${name.replace(/\.git$/, '')}`
  const module = page.replace(/^https?:\/\//, '')
  const source = `${page} ${page}/src/HEAD{/dir} ${page}/src/HEAD{/dir}/{file}#L{line}`
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${module}</title>
<meta name="go-import" content="${module} git ${page}.git">
<meta name="go-source" content="${module} ${source}">
</head><body>go get ${module}</body></html>
`
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Content-Security-Policy': "default-src 'none'",
    'Cache-Control': 'public, max-age=3600',
  })
  response.end(body)
  return true
}
