'use client'
import type { ReactNode } from 'react'
import { pageError } from './_lib/page-error'

/**
 * Error page used when the root layout fails. It replaces the whole document, including theme and UI kit, and
 * brings its own inline styles.
 */
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
              If the problem persists, give your administrator this error ID: <code>{number}</code>
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
