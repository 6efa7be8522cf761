import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ButtonLink } from './_components/button-link'
import { Message } from './_components/message'

export const metadata: Metadata = { title: 'Not found' }

export default function NotFound(): ReactNode {
  return (
    <Message title="There is nothing here" action={<ButtonLink href="/">Go to the start</ButtonLink>}>
      The page does not exist, or you may not see it.
    </Message>
  )
}
