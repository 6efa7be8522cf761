import type { Command } from './commands'

const actions = 'main [data-component="Button"]:is(button, a)'
/** What belongs to a row, to a form that is being filled in, or to a dialog is no action of the page. */
const notOfThePage = 'li, tr, form, nav, dialog, [role=dialog], [role=menu], [role=alert]'
const parts = 'main nav:not([aria-label=Breadcrumbs]) li a[href]'

/** What can be done on the page as it stands, and the parts it has: each is its own button or link, pressed. */
export function pageActions(): Command[] {
  const buttons = all(actions).filter(
    element =>
      !element.closest(notOfThePage) && !element.matches(':disabled, [aria-disabled=true], [data-inactive]'),
  )
  const links = all(parts).filter(element => !element.hasAttribute('aria-current'))
  return unique([
    ...buttons.map(element => commandOf(element, textOf(element))),
    ...links.map(element => commandOf(element, `Go to ${textOf(element)}`)),
  ])
}

const all = (selector: string): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(selector)].filter(element => element.checkVisibility())

/** As it is called for those who hear the page, without the count of a tab and without what only says that more follows. */
function textOf(element: HTMLElement): string {
  const named = element.querySelector<HTMLElement>('[data-label]')?.dataset.label
  const text = element.ariaLabel ?? named ?? element.textContent
  return text.replace(/\s+/g, ' ').replace(/…$/, '').trim()
}

function commandOf(element: HTMLElement, text: string): Command {
  return {
    kind: 'command',
    text,
    href: `page:${text}`,
    run: () => {
      if (!element.isConnected) return
      // The keyboard comes back here from what it opens.
      element.focus()
      element.click()
    },
  }
}

function unique(commands: readonly Command[]): Command[] {
  const byText = new Map(commands.map(command => [command.text, command]))
  byText.delete('')
  return [...byText.values()]
}
