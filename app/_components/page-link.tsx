import type { ComponentProps, ReactNode } from 'react'

/**
 * Link to a page of this site, which `NavigationProgress` opens without loading the document again. Only an
 * element, because pages have many links, and rendering the router's component takes much longer.
 */
export function PageLink(props: ComponentProps<'a'> & { href: string }): ReactNode {
  return <a data-page="" {...props} />
}
