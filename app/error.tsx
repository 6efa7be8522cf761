'use client'
import type { ReactNode } from 'react'
import { Message } from './_components/message'
import { Button } from './_components/primer'
import { pageError } from './_lib/page-error'

export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }): ReactNode {
  const { title, text, number } = pageError(error)
  return (
    <Message
      title={title}
      action={
        <Button variant="primary" onClick={retry}>
          Try again
        </Button>
      }
    >
      <p>{text}</p>
      {number ? (
        <p>
          If the problem persists, give your administrator this error ID: <code>{number}</code>
        </p>
      ) : null}
    </Message>
  )
}
