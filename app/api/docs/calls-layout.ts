import type { ComponentType, createElement, ReactNode } from 'react'

/** What the viewer hands its plugins; its React is another copy than ours, so ours cannot draw for it. */
interface Viewer {
  React: { createElement: typeof createElement }
}

interface LayoutProps {
  getComponent: (name: string, connected?: boolean) => ComponentType
  specSelectors: { loadingStatus: () => string | undefined }
}

/**
 * The calls without the frame of a whole page, which the viewer's own layout would put around them: title, address
 * and a second main part.
 */
export function callsLayout({ React: { createElement } }: Viewer) {
  const part = (name: string, { getComponent }: LayoutProps, connected = true): ReactNode =>
    createElement(getComponent(name, connected))

  // biome-ignore lint/correctness/noComponentHookFactories: it is made once, with the viewer's own React
  function CallsLayout(props: LayoutProps): ReactNode {
    const status = props.specSelectors.loadingStatus()
    if (status === 'failed') {
      return createElement(
        'p',
        { role: 'alert' },
        'The description of the API could not be loaded. Reload the page to try again.',
      )
    }
    return createElement(
      'div',
      { className: 'swagger-ui' },
      part('SvgAssets', props, false),
      part('AuthorizeBtnContainer', props),
      part('errors', props),
      part('operations', props),
      part('Models', props),
    )
  }
  return { components: { CallsLayout } }
}
