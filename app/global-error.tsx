'use client'
import type { ReactNode } from 'react'
import { pageError } from './_lib/page-error'

/** Stands in for the whole page, theme and kit included, so it brings the little it needs. */
export default function GlobalError({ error, retry }: { error: unknown; retry: () => void }): ReactNode {
  const { title, text, number } = pageError(error)
  return (
    <html lang="en" style={{ colorScheme: 'light dark' }}>
      <body
        style={{ maxWidth: 520, margin: '15vh auto', padding: 16, font: '16px/1.5 system-ui, sans-serif' }}
      >
        <title>{`${title} · Guildhall`}</title>
        <main>
          <h1>{title}</h1>
          <p>{text}</p>
          {number ? (
            <p>
              If it does not, give the administrator this number: <code>{number}</code>
            </p>
          ) : null}
          <button type="button" onClick={retry}>
            Try again
          </button>
        </main>
      </body>
    </html>
  )
}
