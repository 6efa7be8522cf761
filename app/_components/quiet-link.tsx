'use client'
import NextLink from 'next/link'
import type { ReactNode } from 'react'
import { Link } from './primer'

interface QuietLinkProps {
  href: string
  children: ReactNode
  /** Inside running text, where color alone would not tell it apart. */
  inline?: boolean
}

/** For lists with many links: nothing is loaded before it is asked for. */
export function QuietLink({ href, children, inline = false }: QuietLinkProps): ReactNode {
  return (
    <Link as={NextLink} href={href} prefetch={false} inline={inline}>
      {children}
    </Link>
  )
}
