'use client'
import type { ReactNode } from 'react'
import { errorNumber } from './_lib/error-number'

/** Stands in for the whole page, theme and kit included, so it brings the little it needs. */
export default function GlobalError({ error, retry }: { error: unknown; retry: () => void }): ReactNode {
  const number = errorNumber(error)
  return (
    <html lang="en" style={{ colorScheme: 'light dark' }}>
      <body
        style={{ maxWidth: 520, margin: '15vh auto', padding: 16, font: '16px/1.5 system-ui, sans-serif' }}
      >
        <title>Internal error · Guildhall</title>
        <main>
          <h1>Internal error</h1>
          <p>Something went wrong on our side. Trying again may help.</p>
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
