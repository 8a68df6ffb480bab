"""Attacks on whoever reads and approves, and where each is held.

Much is held where the code it attacks is tested; this folder has what goes across, and what is held nowhere else.

Shown on a screen or a command line
    escapes, OSC 52, C1, bidi, links, markup in every stored text   test_shown
    the same, widget by widget and character by character           tests.nasty, tests/test_text.py, tests/ui/test_*
    every character that Unicode hides, and what stays readable     tests/test_text.py
    JSON on a terminal                                              test_shown
    what a person types, copies or hands to pager and editor        tests/test_clipboard.py, tests/test_pager.py,
                                                                    tests/test_external_editor.py
    words that only look like a delimiter or like each other        tests/memory/test_store.py,
                                                                    tests/memory/test_threats.py
    look-alike letters: a profile's name has none, all else is
    shown as it is written, which is for a person to judge          tests/test_home.py
    completion: names go through the rule for profile names         tests/cli/test_completion.py, tests/test_home.py

Exported
    HTML: scripts, attributes, links, styles, a policy of nothing   tests/sessions/export/test_html.py,
                                                                    test_html_text.py
    Markdown: headings, HTML, fences, links, frontmatter            tests/sessions/export/test_markdown_text.py
    plain text and frontmatter: what cannot be seen                 tests/sessions/export/test_formats.py
    CSV: there is no export of that kind
    secrets                                                         tests/sessions/export/test_formats.py,
                                                                    test_lossless.py

Ids and names that are paths
    pending, sessions, settings, profiles, providers by id          test_paths
    files of exports; deleting and importing sessions               test_paths, tests/sessions/export/test_names.py
    skills and the files in them                                    tests/pending/test_skills.py
    profiles and the marker of the active one                       tests/test_home.py

Planted on disk
    links, pipes, devices, folders, loops, endless files, deep
    JSON in every place of a home, of our data and of our themes    test_planted
    locks, temp files, logs and files of ours that are links        test_planted, tests/memory/test_store.py
    skills, records and session files that are links                tests/pending/test_skills.py, test_records.py,
                                                                    tests/sessions/upkeep/test_session_files.py
    MEMORY.md, .env and config.yaml that are links                  followed on purpose, as an agent does:
                                                                    tests/memory/test_store.py,
                                                                    tests/config/test_edit.py

Changed between the look and the write
    a record that was changed, or became a link                     test_planted, tests/pending/test_review.py
    a lock that was swapped                                         test_planted
    memory                                                          tests/memory/test_store.py,
                                                                    tests/memory/test_undo.py
    settings                                                        tests/config/test_edit.py
    a session that is exported or imported                          tests/sessions/export/test_lossless.py,
                                                                    tests/sessions/upkeep/test_importing.py

Too large, too deep, too slow
    queries                                                         test_sizes, tests/sessions/test_query.py
    redaction and the threat scan                                   test_sizes, tests/test_redaction.py,
                                                                    tests/memory/test_threats.py
    packed files of a gigabyte, values without an end               test_sizes,
                                                                    tests/sessions/upkeep/test_json_stream.py
    fields of any depth, length and type                            test_sizes
    YAML: aliases, merges, numbers, depth, size                     tests/config/test_reading.py
    Markdown and HTML of a message                                  tests/sessions/export/test_html_text.py

Servers
    endless, slow, packed, redirecting, without a certificate       tests/providers/test_client.py
    answers of a model that gives titles                            tests/sessions/test_title_model_cleaning.py

Kept to oneself
    modes of all that is made, whatever the umask                   test_private
    keys: arguments, reports of crashes, what we keep, what we say  test_private, tests/cli/test_crash.py
    keys sent to servers: consent, redirects, proxies               tests/providers/test_client.py
    no shell, no text that is run, no log                           test_private
"""
