'use client'
import type { ReactNode } from 'react'
import { Message } from './_components/message'
import { Button } from './_components/primer'
import { errorNumber } from './_lib/error-number'

export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }): ReactNode {
  const number = errorNumber(error)
  return (
    <Message
      title="Internal error"
      action={
        <Button variant="primary" onClick={retry}>
          Try again
        </Button>
      }
    >
      <p>Something went wrong on our side. Trying again may help.</p>
      {number ? (
        <p>
          If it does not, give the administrator this number: <code>{number}</code>
        </p>
      ) : null}
    </Message>
  )
}
