"""What all pages share: drawing, templates, scripts, files with their hashes, rulebooks, previews of links."""
