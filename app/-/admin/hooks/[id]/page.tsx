import { hookPage } from '@/app/_features/hooks/pages/hook-page'
import { placeOfSite } from '@/app/_features/places/read-place'

export const metadata = { title: 'Webhook' }

export default hookPage(placeOfSite)
